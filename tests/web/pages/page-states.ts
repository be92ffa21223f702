import { PERMISSIONS } from '../../../src/business/business.ts';
import { connectPage } from '../../../src/web/pages/connect.ts';
import { connectionPage } from '../../../src/web/pages/connection.ts';
import { connectionsPage } from '../../../src/web/pages/connections.ts';
import { consentPage } from '../../../src/web/pages/consent.ts';
import { messagePage } from '../../../src/web/pages/message.ts';
import { changePasswordPage, newPasswordPage } from '../../../src/web/pages/password.ts';
import { signInPage } from '../../../src/web/pages/sign-in.ts';
import type { BusinessView, ClientView, ConnectionView, Html } from '../../../src/web/pages/views.ts';
import { pagePaths } from '../../../src/web/paths.ts';

export const paths = pagePaths('/auth');
export const account = { email: 'vera.lindqvist@example.com' };
const claude: ClientView = {
  client_name: 'Claude',
  redirect_host: 'claude.ai',
  metadata_host: 'claude.ai',
};
const inspector: ClientView = {
  client_name: 'MCP Inspector',
  redirect_host: '127.0.0.1:6274',
  metadata_host: null,
};

export const threeBusinesses: readonly BusinessView[] = [
  {
    business_id: '3b0f6f0e-8a52-4c3e-9d6e-0a8a1c5d2f11',
    name: 'Nordic Garden',
    link: 'https://nordicgarden.example/shop',
    permissions: PERMISSIONS,
  },
  {
    business_id: '77c2c1b4-5a0d-4a7c-8f2f-6d0a4be1b922',
    name: 'Nordic Garden',
    link: 'https://outlet.nordicgarden.example',
    permissions: ['DISPLAY_ANALYTICS_DASHBOARD', 'LIST_PRODUCT'],
  },
  {
    business_id: 'c94e1d57-0f0b-47b5-8a30-94f5d1d7a333',
    name: 'Kaffehörnan',
    link: null,
    permissions: ['DISPLAY_ANALYTICS_DASHBOARD'],
  },
];

export const [oneBusiness] = threeBusinesses.slice(0, 1) as [BusinessView];

const manyBusinesses = Array.from(
  { length: 200 },
  (_, index): BusinessView => ({
    business_id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    name: `Branch ${index + 1}`,
    link: `https://branch-${index + 1}.example`,
    permissions: index % 3 === 0 ? [] : ['DISPLAY_ANALYTICS_DASHBOARD'],
  }),
);

/** Markup, ten thousand characters without a space, direction overrides, control characters and line breaks. */
export const HOSTILE_NAME = `<img src=x onerror=alert(1)>"'></title><script>alert(2)</script>\u202egnp.exe\u0000\u0007\r\n\n${'W'.repeat(10_000)}`;

const hostileClient: ClientView = {
  client_name: HOSTILE_NAME,
  redirect_host: `claude.ai.${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`,
  metadata_host: 'claude.ai.example.com',
};
const hostileBusinesses: readonly BusinessView[] = [
  ...threeBusinesses,
  {
    business_id: HOSTILE_NAME.slice(0, 60),
    name: HOSTILE_NAME,
    link: `https://${'long-'.repeat(12)}.example`,
    permissions: PERMISSIONS,
  },
  {
    business_id: 'ee000000-0000-4000-8000-000000000001',
    name: '\u202e \u200b',
    link: 'javascript:alert(3)',
    permissions: [],
  },
];

export const claudeConnection: ConnectionView = {
  grant_id: 'a1111111-0000-4000-8000-000000000001',
  client_name: 'Claude',
  redirect_host: 'claude.ai',
  businesses: 'all',
  created_at: '2026-11-03T14:05:00.000Z',
  last_used_at: '2026-11-20T08:30:12.000Z',
  expires_at: '2027-11-03T14:05:00.000Z',
};
const connections: readonly ConnectionView[] = [
  claudeConnection,
  {
    ...claudeConnection,
    grant_id: 'a1111111-0000-4000-8000-000000000002',
    client_name: 'Cursor',
    redirect_host: 'cursor:',
    businesses: threeBusinesses.slice(1),
    last_used_at: null,
  },
  {
    ...claudeConnection,
    grant_id: 'a1111111-0000-4000-8000-000000000003',
    client_name: null,
    redirect_host: null,
    businesses: manyBusinesses.slice(0, 12),
  },
];
const hostileConnection: ConnectionView = {
  ...claudeConnection,
  grant_id: 'a1111111-0000-4000-8000-000000000004',
  client_name: HOSTILE_NAME,
  redirect_host: hostileClient.redirect_host,
  businesses: hostileBusinesses,
};

const signIn = {
  paths,
  returnTo: paths.connections,
  email: '',
  error: null,
  client: null,
  identityProvider: null,
};
const consent = {
  paths,
  uid: 'uid-1',
  account,
  client: claude,
  businesses: threeBusinesses,
  error: null,
  chosen: null,
  endsAfterDays: 180,
};
const change = { paths, account, error: null, notice: null };
const newPassword = { paths, link: 'secret-link', email: account.email, error: null };
const SAY_WHICH = 'Say which stores it may read: all, or at least one from the list.';

/** Every page in the states that look or behave differently. */
export const PAGE_STATES: Readonly<Record<string, Html>> = {
  'sign-in': signInPage(signIn),
  'sign-in-for-an-app': signInPage({
    ...signIn,
    returnTo: '/auth/authorize?client_id=x&state="y"',
    client: claude,
    identityProvider: { name: 'Northwind Login' },
  }),
  'sign-in-failed': signInPage({
    ...signIn,
    email: account.email,
    client: inspector,
    error: 'The e-mail address or the password is wrong. Try again, or ask for a new link.',
  }),
  'sign-in-hostile': signInPage({
    ...signIn,
    email: HOSTILE_NAME,
    client: hostileClient,
    error: HOSTILE_NAME,
  }),
  'consent-nothing-chosen': consentPage(consent),
  'consent-all': consentPage({ ...consent, chosen: 'all', client: inspector }),
  'consent-some': consentPage({
    ...consent,
    chosen: [oneBusiness.business_id],
    client: { client_name: 'Cursor', redirect_host: 'cursor:', metadata_host: null },
  }),
  'consent-error': consentPage({ ...consent, chosen: [], error: SAY_WHICH }),
  'consent-one-business': consentPage({ ...consent, businesses: [oneBusiness] }),
  'consent-no-business': consentPage({
    ...consent,
    businesses: [],
    client: { client_name: null, redirect_host: null, metadata_host: null },
  }),
  'consent-200-businesses': consentPage({
    ...consent,
    businesses: manyBusinesses,
    chosen: ['00000000-0000-4000-8000-000000000001'],
  }),
  'consent-hostile': consentPage({
    ...consent,
    account: { email: `${'x'.repeat(200)}@example.com` },
    businesses: hostileBusinesses,
    client: hostileClient,
    chosen: hostileBusinesses.map(({ business_id }) => business_id),
  }),
  connections: connectionsPage({ paths, account, connections, notice: 'Saved.' }),
  'connections-none': connectionsPage({ paths, account, connections: [], notice: null }),
  'connections-hostile': connectionsPage({
    paths,
    account,
    connections: [hostileConnection],
    notice: HOSTILE_NAME,
  }),
  connection: connectionPage({
    paths,
    account,
    connection: claudeConnection,
    businesses: threeBusinesses,
    error: null,
  }),
  'connection-error': connectionPage({
    paths,
    account,
    connection: { ...hostileConnection, businesses: [] },
    businesses: hostileBusinesses,
    error: SAY_WHICH,
  }),
  connect: connectPage({ paths, account, mcpUrl: 'https://storesight.example.com/mcp' }),
  'connect-loopback': connectPage({ paths, account, mcpUrl: 'http://127.0.0.1:8765/mcp' }),
  password: changePasswordPage(change),
  'password-changed': changePasswordPage({
    ...change,
    notice: 'Your password is changed. Other browsers are signed out; connected apps stay connected.',
  }),
  'password-error': changePasswordPage({ ...change, error: 'The current password is wrong.' }),
  'new-password': newPasswordPage(newPassword),
  'new-password-error': newPasswordPage({
    ...newPassword,
    error: 'The two passwords differ. Type them again.',
  }),
  'message-signed-out': messagePage({
    paths,
    account: null,
    title: 'This link does not work any more',
    text: 'It was used already, or it is older than three days.',
    whatToDo: 'Ask whoever runs this Storesight for a new one.',
    link: null,
  }),
  'message-signed-in': messagePage({
    paths,
    account,
    title: 'This app is not connected',
    text: 'Its access was taken away, or it ended.',
    whatToDo: 'Connect it again from the app itself.',
    link: { href: paths.connections, label: 'Connected apps' },
  }),
};
