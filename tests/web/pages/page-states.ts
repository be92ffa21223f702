import type { Assumption } from '../../../src/business/assumptions.ts';
import { PERMISSIONS } from '../../../src/business/business.ts';
import type { Figure, LinePanel } from '../../../src/charts/figure.ts';
import type { Upload } from '../../../src/control/businesses/uploads.ts';
import type { RefusedDeletions } from '../../../src/live/reconcile/refused-deletions.ts';
import type { Vendor } from '../../../src/live/vendor.ts';
import { VENDORS } from '../../../src/live/vendors/all-vendors.ts';
import { atOnce } from '../../../src/main-thread/turns.ts';
import { ENGLISH, messagesIn } from '../../../src/messages/messages.ts';
import type { Findings } from '../../../src/overview/findings.ts';
import type { Overview } from '../../../src/overview/overview.ts';
import { KINDS, type MappingChoices } from '../../../src/sources/mapping/chosen-columns.ts';
import type { TableToMap } from '../../../src/sources/mapping/table-to-map.ts';
import type { ShownReport, UploadOutcome } from '../../../src/uploads/outcome.ts';
import { appAccessPage } from '../../../src/web/pages/app-access.ts';
import { appsPage } from '../../../src/web/pages/apps.ts';
import { confirmDeletionsPage } from '../../../src/web/pages/confirm-deletions.ts';
import { connectPage } from '../../../src/web/pages/connect.ts';
import { connectionKeyPage, newConnectionPage, triedPage } from '../../../src/web/pages/connection-form.ts';
import type { ConnectionView } from '../../../src/web/pages/connection-views.ts';
import { consentPage } from '../../../src/web/pages/consent.ts';
import { findingsPage } from '../../../src/web/pages/findings.ts';
import { goBackPage, type ImportView, pastImportPage } from '../../../src/web/pages/history.ts';
import { managersPage } from '../../../src/web/pages/managers.ts';
import { mapTablePage } from '../../../src/web/pages/map-table.ts';
import { messagePage } from '../../../src/web/pages/message.ts';
import { newStorePage } from '../../../src/web/pages/new-store.ts';
import { type OverviewPage, overviewPage } from '../../../src/web/pages/overview.ts';
import { changePasswordPage, newPasswordPage } from '../../../src/web/pages/password.ts';
import { signInPage } from '../../../src/web/pages/sign-in.ts';
import { storePage } from '../../../src/web/pages/store.ts';
import {
  type ConnectionPage,
  connectionPage,
  removeConnectionPage,
} from '../../../src/web/pages/store-connection.ts';
import { connectionsPage } from '../../../src/web/pages/store-connections.ts';
import {
  deleteStorePage,
  type StoreSettingsPage,
  storeSettingsPage,
} from '../../../src/web/pages/store-settings.ts';
import { storesPage } from '../../../src/web/pages/stores.ts';
import { uploadPage } from '../../../src/web/pages/upload.ts';
import type { AppView, BusinessView, ClientView, Html } from '../../../src/web/pages/views.ts';
import { pagePaths } from '../../../src/web/paths.ts';

const overviewNow = (page: OverviewPage) => atOnce(overviewPage(page));

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

/**
 * Markup, ten thousand characters without a space, direction overrides, control characters and line breaks.
 */
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

export const claudeApp: AppView = {
  grant_id: 'a1111111-0000-4000-8000-000000000001',
  client_name: 'Claude',
  redirect_host: 'claude.ai',
  businesses: 'all',
  created_at: '2026-11-03T14:05:00.000Z',
  last_used_at: '2026-11-20T08:30:12.000Z',
  expires_at: '2027-11-03T14:05:00.000Z',
};
const apps: readonly AppView[] = [
  claudeApp,
  {
    ...claudeApp,
    grant_id: 'a1111111-0000-4000-8000-000000000002',
    client_name: 'Cursor',
    redirect_host: 'cursor:',
    businesses: threeBusinesses.slice(1),
    last_used_at: null,
  },
  {
    ...claudeApp,
    grant_id: 'a1111111-0000-4000-8000-000000000003',
    client_name: null,
    redirect_host: null,
    businesses: manyBusinesses.slice(0, 12),
  },
];
const hostileApp: AppView = {
  ...claudeApp,
  grant_id: 'a1111111-0000-4000-8000-000000000004',
  client_name: HOSTILE_NAME,
  redirect_host: hostileClient.redirect_host,
  businesses: hostileBusinesses,
};

const signIn = {
  messages: ENGLISH,
  paths,
  returnTo: paths.apps,
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
  messages: ENGLISH,
};
const change = { paths, account, error: null, notice: null, messages: ENGLISH };
const newPassword = { paths, link: 'secret-link', email: account.email, error: null, messages: ENGLISH };
const store = { ...oneBusiness, timezone: 'Europe/Stockholm', primary_currency: 'SEK' };
const hostileStore = { ...store, name: HOSTILE_NAME };
const someSettings: StoreSettingsPage = {
  ...{ paths, account, business: store, costs: [], typedCost: null, today: '2026-11-27' },
  ...{ error: null, notice: null, messages: ENGLISH },
  typed: {
    ...{ name: 'Nordic Garden', link: '', timezone: 'Europe/Stockholm', currency: 'SEK', vat_rate: '25' },
  },
};
const aCost: Assumption = {
  ...{ assumption_id: 'a', kind: 'payment_fee', per: 'order', percent: 1.4, amount: 3, currency: 'SEK' },
  ...{ from_day: '2026-01-01', payment_method: null, shipping_method: null, country: null },
};
const newStore = { paths, account, name: '', error: null, messages: ENGLISH };
const loaded = [
  { kind: 'orders', until: '2026-11-20T08:30:12.000Z' },
  { kind: 'sessions', until: null },
] as const;
const limits = { file: 2e9, upload: 4e9, account: 8e9, all: 2e10, hours: 24 };
const ofColumn = {
  filled: 3,
  pattern: null,
  isEitherOrder: false,
  hasDigits: true,
  isZero: false,
  isNamed: true,
};
const tableToMap: TableToMap = {
  ...{ file: 'rendelések.csv', fingerprint: 'abc', more: 3, kind: 'orders', chosen: null },
  columns: [
    { ...ofColumn, title: HOSTILE_NAME, looks: 'text', first: [HOSTILE_NAME, 'Xxxx', ''] },
    { ...ofColumn, title: 'Dátum', looks: 'date', isEitherOrder: true, first: ['3/4/2026', '5/6/2026', ''] },
    { ...ofColumn, title: '', looks: 'empty', filled: 0, first: ['', '', ''] },
  ],
  proposed: Object.fromEntries(
    KINDS.map((kind) => [
      kind,
      ['', kind === 'orders' ? 'orders.ordered_at' : '', ''].map((field) => ({
        ...{ field, confidence: 'medium', why: 'its title' },
      })),
    ]),
  ) as unknown as TableToMap['proposed'],
};
const mapped: MappingChoices = {
  ...{ kind: 'orders', fields: ['orders.order_id', 'orders.ordered_at', ''] },
  ...{ dates: null, decimal: null, fillsDown: false },
};
const upload: Upload & { files: { file_number: number; name: string; bytes: number }[] } = {
  upload_id: 'b1111111-0000-4000-8000-000000000001',
  business_id: store.business_id,
  account_id: 'account-1',
  ...{ state: 'open', work: 'check', run_id: null, step: null, done_percent: null },
  ...{ builds_on: null, outcome: null, trouble: null },
  answers: { settings: {}, max_rejects: '0' },
  created_at: '2026-11-22T09:00:00.000Z',
  changed_at: '2026-11-22T09:00:00.000Z',
  files: [
    { file_number: 1, name: 'orders_export_1.csv', bytes: 1_234_567 },
    { file_number: 2, name: `${'objednávky'.repeat(9)}.csv.gz`, bytes: 12 },
  ],
};
const anUpload = {
  messages: ENGLISH,
  isUploader: true,
  paths,
  account,
  business: store,
  upload,
  outcome: null,
  notTold: null,
  before: null,
  reloads: true,
  limits,
  error: null,
};
const sums = { in_file: 12_345_678.9, stored: 12_345_678.9 };
const month = {
  orders: { in_file: 1234, stored: 1234, valid: 1200 },
  gross: { ...sums, revenue: 12_000_000.01 },
  ...{ discounts: sums, shipping: sums, tax: sums, refunds: sums },
};
const report: ShownReport = {
  snapshot: null,
  builds_on: null,
  build: { kind: 'whole', reason: '', affected_persons: null, replaced_share: 0, free_share: 0 },
  sources: [
    {
      source: 'shopify-orders-csv',
      title: 'Orders of Shopify (CSV of the admin)',
      files: ['orders_export_1.csv', HOSTILE_NAME],
      rows: 2345,
      tables: ['orders', 'order_items'],
      columns_ignored: 12,
      settings: {},
      assumptions: ['test orders cannot be told from others', HOSTILE_NAME],
      makes_orders: true,
    },
  ],
  reconciliation: [
    {
      source: 'shopify-orders-csv',
      files: ['orders_export_1.csv'],
      currency: 'SEK',
      ...month,
      differences: [
        { reason: 'foreign_without_rate', orders: 12, amount: 345.6, is_counted: false },
        { reason: 'unpaid', orders: 1, amount: 5, is_counted: true },
      ],
      months: ['2026-09', '2026-10'].map((name) => ({ month: name, ...month })),
      assumptions: [],
    },
    {
      source: 'mapped',
      ...{ files: [], currency: null, ...month, differences: [], months: [], assumptions: [] },
    },
  ],
  tables: { orders: { read: 1234, loaded: 1230, rejected: 1, replaced: 1, ignored: 1, deleted: 1 } },
  changes: { orders: { added: 1000, changed: 30, unchanged: 200, removed: 1 } },
  personal_data_removed: { orders: { note: 3 } },
  warnings: [HOSTILE_NAME],
};
const past: ImportView = {
  snapshot_id: '20261122T090000000Z-abcd',
  created_at: '2026-11-22T09:00:00.000Z',
  is_readable: true,
  is_served: true,
  orders_until: '2026-11-20T08:30:12.000Z',
  imported: { orders: 1234, order_items: 2345, refunds: 0 },
  report: { sources: report.sources, reconciliation: report.reconciliation },
};
const beforeIt: ImportView = {
  ...past,
  snapshot_id: '20261121T090000000Z-abcd',
  created_at: '2026-11-21T09:00:00.000Z',
  ...{ is_served: false, orders_until: null, imported: null, report: null },
};
const question = {
  source: 'shopify-orders-csv',
  text: 'an order without a currency: 3 rows, the first is orders.csv line 2',
  values: [],
  said: null,
};
const questions: Extract<UploadOutcome, { readonly kind: 'questions' }> = {
  kind: 'questions',
  questions: [
    ...(['timezone', 'dates', 'currency', 'encoding', 'orders-from', 'exported-at'] as const).map(
      (setting) => ({
        ...question,
        setting,
      }),
    ),
    { ...question, setting: 'status', values: ['Zaplaceno kartou', HOSTILE_NAME] },
    { ...question, setting: 'schema', values: ['shopify_cz', HOSTILE_NAME] },
  ],
};
const months = ['2026-08', '2026-09', '2026-10', HOSTILE_NAME];
const monthsOf = (name: string, values: readonly number[]) =>
  values.map((value, index) => ({
    at: `periods.${index}.${name}`,
    value,
    text: `${value} CZK`,
    short: `${value}`,
  }));
const someSales: Figure = {
  title: 'Sales',
  subtitle: [],
  panels: [
    {
      kind: 'line',
      heading: 'Revenue (CZK)',
      says: ["Revenue: of the orders; the store's own revenue."],
      definitions: [],
      ...{ cut: null, isStep: false },
      columns: months.map((label, index) => ({ label, known: index === 3 ? 'incomplete' : 'whole' })),
      series: [
        {
          name: 'Revenue',
          values: monthsOf('orders_revenues', [1200, 1500, 900, 300]),
          bounds: [],
          isCompared: false,
        },
        {
          name: 'Year before',
          values: monthsOf('orders_revenues', [1000, 1100, 950, 990]),
          bounds: [],
          isCompared: true,
        },
      ],
    },
    {
      kind: 'bars',
      heading: 'Customers',
      says: [],
      definitions: [],
      cut: null,
      series: ['New', 'Returning'],
      groups: months.map((label, index) => ({
        label,
        isIncomplete: index === 3,
        times: null,
        values: [monthsOf('new', [5, 6, 7, 8])[index] ?? null, null],
      })),
    },
  ],
  notes: ['Data are loaded until 20 November 2026.'],
  words: ENGLISH,
};
export const anOverview = { paths, account, business: store, isManager: true, messages: ENGLISH };
/** A sentence that no message says. */
const asEnglish = (text: string) => ({ text, isEnglish: true, kind: text.slice(0, 24) });
export const someNumbers: Overview = {
  store: {
    ...{ name: store.name, currency: 'SEK', timezone: 'Europe/Stockholm', locale: 'en-GB' },
    ...{ data_until: '2026-11-20T09:00:00Z', history_starts_at: null },
  },
  asked: { period: '30d', compare: 'before', own: null, show: 'orders', by: null, all: null, filters: [] },
  days: { from_date: '2026-10-22', to_date: '2026-11-20' },
  before: { from_date: '2026-09-22', to_date: '2026-10-21' },
  notCompared: null,
  alarms: [
    {
      text: '16.2 % of 412 e-mails to Seznam were not delivered, usually 0.4 %.',
      isEnglish: false,
      kind: 'delivery',
    },
  ],
  cards: [
    ...['Revenue', 'Advertising cost', 'Revenue whose costs are known'].map((name) => ({
      ...{
        key: name.toLowerCase(),
        name,
        unit: 'money',
        definition: 'Money of orders.',
        trend: null,
        list: 'products' as const,
        isUnfiltered: false,
      },
      ...{ value: 12_345_678.9, before: 9_876_543.2, change: 25.0001 },
      marks: [ENGLISH.say('mark.profit-of-shares', { share: '87.8 %', before: '83.5 %' }), HOSTILE_NAME],
    })),
    {
      ...{
        key: 'orders',
        name: 'Orders',
        unit: 'orders',
        definition: 'Valid ones.',
        list: null,
        isUnfiltered: false,
      },
      ...{
        value: 12,
        before: 16,
        change: -25,
        marks: [],
        trend: { figure: someSales, panel: someSales.panels[0] as LinePanel },
      },
    },
    {
      ...{ key: 'conversion', name: 'Conversion', unit: 'percent', definition: 'Of visits.' },
      ...{ value: 2.5, before: 3, change: -0.5, trend: null, list: null, isUnfiltered: false, marks: [] },
    },
    {
      ...{ key: 'refunds', name: 'Refunds', unit: 'money', definition: 'Paid back.' },
      ...{ value: null, before: 0, change: null, trend: null, list: null, isUnfiltered: false, marks: [] },
    },
  ],
  lists: (['products', 'channels'] as const).map((key) => ({
    key,
    title: ENGLISH.say(`list.${key}`),
    isUnfiltered: false,
    rowsCount: 409,
    columns: [
      { name: 'Revenue of last clicks', unit: 'money' },
      { name: 'Orders', unit: 'orders' },
    ],
    rows: [
      {
        label: HOSTILE_NAME,
        filter: { dimension: 'country', value: HOSTILE_NAME },
        values: [1_234_567.8, 12],
        ...{ share: 99.9, before: 2, change: 61_728_290, marks: ['One single order.', HOSTILE_NAME] },
      },
      {
        ...{ label: 'متجر الهدايا', filter: null, values: [null, 3] },
        ...{ share: null, before: null, change: null, marks: [] },
      },
    ],
  })),
  notes: ['Orders are loaded until 20 November 2026.', HOSTILE_NAME].map(asEnglish),
  missing: [],
};
const someFindings: Findings = {
  store: someNumbers.store,
  asked: someNumbers.asked,
  days: someNumbers.days,
  before: someNumbers.before,
  notCompared: null,
  change: {
    unit: 'money',
    summary:
      'Revenue rose from 100 (2026-09-22 to 2026-10-21) to 125 SEK (2026-10-22 to 2026-11-20): +25 SEK (+25 %).',
    stands_out: [{ sentence: HOSTILE_NAME }],
    facts: Array.from({ length: 9 }, (_, index) => ({ text: `Sent in the range: ${index} e-mails.` })),
    bridges: ['visits', 'channel', 'unknown_one'].map((name) => ({
      name,
      parts: [
        { name: HOSTILE_NAME, change: 30.4 },
        { name: 'visits', change: -5.4 },
        { name: '(rest)', change: 0 },
      ],
    })),
  },
  watched: {
    from_date: '2026-10-24',
    to_date: '2026-11-20',
    summary: '2 are unusual; looked at: 400 numbers.',
    alerts: [{ sentence: HOSTILE_NAME }, { sentence: 'Visits on 2026-11-01: 500, usually 100 (80 to 120).' }],
    trust: [{ text: 'Without a visit: 117 of 567 orders.', touches: 'orders by channel' }],
  },
  notes: someNumbers.notes,
  sentences: [],
  missing: [],
};
const aStore = {
  messages: ENGLISH,
  paths,
  account,
  business: store,
  uploads: [],
  imports: [],
  limits,
  loaded,
  connections: [],
  imported_at: '2026-11-20T09:00:00.000Z',
  sales: {
    figure: someSales,
    notes: ['Orders are loaded until 2026-09-05; the rest of the month is not known.'].map(asEnglish),
  },
  notice: null,
};
const aConnection: ConnectionView = {
  connection_id: 'c1111111-0000-4000-8000-000000000001',
  name: 'shopify',
  vendor: 'Shopify',
  account: 'Nordic Garden',
  state: 'state.ok',
  ...{ isStuck: false, advice: null, message: null, isPaused: false },
  loaded_until: '2026-11-20T08:30:12.000Z',
  reached_at: '2026-11-20T08:30:12.000Z',
  next: { kind: 'at', at: '2026-11-20T08:45:00.000Z' },
};
const hostileConnection: ConnectionView = {
  ...aConnection,
  name: HOSTILE_NAME,
  account: HOSTILE_NAME,
  state: 'state.unauthorized',
  ...{ isStuck: true, message: HOSTILE_NAME, loaded_until: null, reached_at: null },
  advice: 'advice.unauthorized',
  next: { kind: 'late', since: '2026-11-20T08:45:00.000Z' },
};
const aRun: ConnectionPage['runs'][number] = {
  run_number: 2,
  started_at: '2026-11-20T08:30:12.000Z',
  ended_at: '2026-11-20T08:30:13.000Z',
  ...{ state: 'ok', message: null },
  report: {
    rows: { orders: 1234, products: 5 },
    ...{ gone: { orders: 1 }, failed: [], notes: [], refused: [], refusal: null },
    imports: [{ snapshot: 'x', tables: report.tables, rejects_file: null, warnings: [] }],
  },
};
const connectionAtHand: ConnectionPage = {
  ...{ paths, account, business: store, connection: aConnection, runs: [aRun], isReader: true },
  ...{ refusal: null, refused: [] },
  hook: { url: 'https://storesight.example.com/hooks/shopify/c1111111', secret: 'Client secret' },
  ...{ reloads: false, notice: null, error: null, messages: ENGLISH },
};
const someGone: ConnectionPage['refused'] = [
  { listing: 'order-ids', title: 'orders', gone: 1234, known: 5678 },
  { listing: 'customer-ids', title: 'customers', gone: 30, known: 60 },
];
const vendorOf = (name: string) => VENDORS.find((each) => each.name === name) as Vendor;
const connectionForm = { paths, account, business: store, vendor: vendorOf('shopify'), error: null };
const people = ['vera.lindqvist@example.com', `${'x'.repeat(150)}@example.com`, 'a"<b>@example.com'].map(
  (email, index) => ({ email, account_id: `account-${index}` }),
);
const [vera] = people as [(typeof people)[number]];
const managers = {
  messages: ENGLISH,
  paths,
  account: vera,
  business: store,
  managers: [vera],
  others: people,
  error: null,
  notice: null,
};
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
  apps: appsPage({ messages: ENGLISH, paths, account, apps, notice: 'Saved.' }),
  'apps-none': appsPage({ messages: ENGLISH, paths, account, apps: [], notice: null }),
  'apps-hostile': appsPage({
    messages: ENGLISH,
    paths,
    account,
    apps: [hostileApp],
    notice: HOSTILE_NAME,
  }),
  'app-access': appAccessPage({
    messages: ENGLISH,
    paths,
    account,
    app: claudeApp,
    businesses: threeBusinesses,
    error: null,
  }),
  'app-access-error': appAccessPage({
    messages: ENGLISH,
    paths,
    account,
    app: { ...hostileApp, businesses: [] },
    businesses: hostileBusinesses,
    error: SAY_WHICH,
  }),
  connect: connectPage({ messages: ENGLISH, paths, account, mcpUrl: 'https://storesight.example.com/mcp' }),
  'connect-loopback': connectPage({ messages: ENGLISH, paths, account, mcpUrl: 'http://127.0.0.1:8765/mcp' }),
  stores: storesPage({
    paths,
    account,
    stores: [
      {
        ...store,
        imported_at: '2026-11-20T09:00:00.000Z',
        orders_until: '2026-09-30T21:34:00.000Z',
        isManaged: true,
        isReader: true,
      },
      {
        ...hostileStore,
        timezone: null,
        primary_currency: null,
        imported_at: null,
        orders_until: null,
        isManaged: false,
        isReader: true,
      },
    ],
    mayCreate: true,
    notice: null,
    messages: ENGLISH,
  }),
  'stores-none': storesPage({
    paths,
    account,
    stores: [],
    mayCreate: false,
    notice: null,
    messages: ENGLISH,
  }),
  'stores-first': storesPage({
    paths,
    account,
    stores: [],
    mayCreate: true,
    notice: null,
    messages: ENGLISH,
  }),
  'store-new': newStorePage(newStore),
  'store-new-error': newStorePage({ ...newStore, name: HOSTILE_NAME, error: HOSTILE_NAME }),
  store: storePage({ ...aStore, notice: 'Saved.' }),
  'store-settings': storeSettingsPage(someSettings),
  'store-settings-costs': storeSettingsPage({
    ...someSettings,
    costs: [aCost, { ...aCost, ...{ assumption_id: 'b', percent: null, payment_method: HOSTILE_NAME } }],
    notice: 'Saved.',
  }),
  'store-settings-error': storeSettingsPage({
    ...someSettings,
    business: hostileStore,
    typed: { name: HOSTILE_NAME, link: HOSTILE_NAME, timezone: 'x', currency: '', vat_rate: HOSTILE_NAME },
    error: HOSTILE_NAME,
  }),
  'store-settings-cost-error': storeSettingsPage({
    ...someSettings,
    typedCost: {
      ...{ kind: 'email_cost', percent: '', amount: HOSTILE_NAME, per: '', from: HOSTILE_NAME },
      ...{ payment_method: '', shipping_method: '', country: '' },
    },
    error: 'Choose whether the amount is for a thousand e-mails or for a month.',
  }),
  'store-delete': deleteStorePage({ messages: ENGLISH, paths, account, business: store, error: null }),
  'store-delete-error': deleteStorePage({
    messages: ENGLISH,
    paths,
    account,
    business: hostileStore,
    error: HOSTILE_NAME,
  }),
  'settings-running': uploadPage({
    ...anUpload,
    upload: { ...upload, files: [], state: 'running', work: 'settings', step: 'building', done_percent: 10 },
  }),
  'settings-saved': uploadPage({
    ...anUpload,
    upload: { ...upload, files: [], state: 'published', work: 'settings' },
    outcome: {
      kind: 'settings',
      before: { timezone: null, primary_currency: 'EUR', vat_rate: null },
      now: { timezone: 'Europe/Prague', primary_currency: 'CZK', vat_rate: 21 },
    },
  }),
  'settings-refused': uploadPage({
    ...anUpload,
    upload: { ...upload, files: [], work: 'settings' },
    outcome: { kind: 'refused', message: HOSTILE_NAME },
  }),
  overview: overviewNow({ ...anOverview, overview: someNumbers }),
  'overview-in-de': overviewNow({ ...anOverview, messages: messagesIn('de-DE'), overview: someNumbers }),
  findings: findingsPage({ ...anOverview, findings: someFindings }),
  'findings-nothing': findingsPage({
    ...anOverview,
    messages: messagesIn('en-GB'),
    findings: {
      ...someFindings,
      ...{ before: null, change: null, watched: null, notCompared: HOSTILE_NAME },
      asked: { ...someNumbers.asked, filters: [{ dimension: 'country', value: 'CZ' }] },
      missing: [{ name: 'What to look at', why: HOSTILE_NAME }],
    },
  }),
  'findings-in-cs': findingsPage({ ...anOverview, messages: messagesIn('cs-CZ'), findings: someFindings }),
  'overview-own': overviewNow({
    ...anOverview,
    isManager: false,
    overview: {
      ...someNumbers,
      asked: {
        period: 'own',
        compare: 'none',
        own: someNumbers.days,
        show: 'revenue',
        by: null,
        all: null,
        filters: [],
      },
      ...{ before: null, notCompared: 'The first loaded order is of 2026-10-01.', lists: [], notes: [] },
      missing: [{ name: 'E-mail campaigns', why: HOSTILE_NAME }],
    },
  }),
  'overview-part': overviewNow({
    ...anOverview,
    overview: {
      ...someNumbers,
      asked: { ...someNumbers.asked, filters: [{ dimension: 'country', value: HOSTILE_NAME }] },
      cards: [
        ...someNumbers.cards.slice(0, 2),
        {
          ...{
            key: 'email',
            name: 'Revenue after e-mails',
            unit: undefined,
            definition: 'Not known of a part of the store.',
          },
          ...{
            value: null,
            before: null,
            change: null,
            trend: null,
            list: null,
            isUnfiltered: true,
            marks: [],
          },
        },
      ],
      lists: [
        ...someNumbers.lists,
        {
          key: 'campaigns',
          title: 'E-mail campaigns',
          columns: [],
          rows: [],
          rowsCount: 0,
          isUnfiltered: true,
        },
      ],
    },
  }),
  'overview-nothing': overviewNow({
    ...anOverview,
    business: hostileStore,
    overview: { why: 'No orders are loaded yet.' },
  }),
  'store-empty': storePage({
    ...aStore,
    business: hostileStore,
    loaded: [],
    imported_at: null,
    sales: { why: 'No orders are loaded yet.' },
  }),
  'store-history': storePage({ ...aStore, imports: [past, beforeIt] }),
  'past-import': pastImportPage({
    messages: ENGLISH,
    paths,
    account,
    business: hostileStore,
    past: { ...past, is_served: false },
  }),
  'past-import-unknown': pastImportPage({
    messages: ENGLISH,
    paths,
    account,
    business: store,
    past: beforeIt,
  }),
  'go-back': goBackPage({ messages: ENGLISH, paths, account, business: store, past: beforeIt, error: null }),
  'go-back-error': goBackPage({
    messages: ENGLISH,
    paths,
    account,
    business: hostileStore,
    past,
    error: HOSTILE_NAME,
  }),
  'store-uploads': storePage({
    ...aStore,
    uploads: [upload, { ...upload, state: 'running' }],
  }),
  'upload-empty': uploadPage({
    ...anUpload,
    business: hostileStore,
    upload: { ...upload, files: [], trouble: HOSTILE_NAME },
    error: 'Upload a file first.',
  }),
  upload: uploadPage(anUpload),
  'upload-waiting': uploadPage({ ...anUpload, upload: { ...upload, state: 'waiting' }, before: 3 }),
  'upload-running': uploadPage({
    ...anUpload,
    upload: { ...upload, state: 'running', step: HOSTILE_NAME, done_percent: 42 },
    reloads: false,
  }),
  'upload-questions': uploadPage({ ...anUpload, outcome: questions }),
  'upload-currency': uploadPage({
    ...anUpload,
    upload: { ...upload, answers: { settings: { 'store-currency': 'EUR' }, max_rejects: '0' } },
    outcome: {
      kind: 'questions',
      questions: [{ ...question, setting: 'store-currency', values: ['EUR', 'keep'] }],
    },
  }),
  'connection-currency': connectionPage({
    ...connectionAtHand,
    refusal: {
      kind: 'questions',
      questions: [{ ...question, setting: 'store-currency', values: ['keep', 'EUR'] }],
    },
  }),
  'upload-statuses': uploadPage({
    ...anUpload,
    outcome: { kind: 'questions', questions: [{ ...question, setting: 'status' }] },
  }),
  'upload-rejects': uploadPage({
    ...anUpload,
    outcome: {
      kind: 'rejects',
      rows: { read: 100, rejected: 2, examples: ['orders.csv:3 total', HOSTILE_NAME] },
    },
  }),
  'upload-rejects-cells': uploadPage({
    ...anUpload,
    outcome: {
      kind: 'rejects',
      rows: {
        ...{ read: 100, rejected: 2, examples: [], list: 'x.csv' },
        cells: [
          {
            ...{ file: 'customers.csv', line: '5', column: null, value: null },
            reason: 'is malformed: missing columns (18 instead of 20)',
          },
          { file: HOSTILE_NAME, line: '7', column: HOSTILE_NAME, value: HOSTILE_NAME, reason: HOSTILE_NAME },
        ],
      },
    },
  }),
  'upload-store': uploadPage({
    ...anUpload,
    outcome: { kind: 'store', proposed: { timezone: null, primary_currency: 'USD' } },
  }),
  'upload-checked-new': uploadPage({
    ...anUpload,
    upload: {
      ...upload,
      answers: {
        ...{ settings: {}, max_rejects: '0' },
        store: { timezone: 'Europe/Stockholm', primary_currency: 'SEK' },
      },
    },
    outcome: { kind: 'checked', report },
  }),
  'upload-uncertain': uploadPage({ ...anUpload, outcome: { kind: 'uncertain' } }),
  'upload-refused': uploadPage({
    ...anUpload,
    outcome: { kind: 'refused', message: `nothing to import was recognised\n${HOSTILE_NAME}` },
  }),
  'upload-to-map': uploadPage({
    ...anUpload,
    outcome: {
      kind: 'refused',
      message: 'nothing to import was recognised',
      tables: [tableToMap, { ...tableToMap, file: HOSTILE_NAME, chosen: mapped }],
    },
  }),
  'map-table': mapTablePage({
    ...{ ...anUpload, table: tableToMap, choices: mapped },
    ...{ isDraft: false, error: null },
  }),
  'map-table-draft': mapTablePage({
    ...{ ...anUpload, table: tableToMap, choices: mapped },
    ...{ isDraft: true, error: null },
  }),
  'map-table-error': mapTablePage({
    ...{ ...anUpload, business: hostileStore, error: HOSTILE_NAME, table: tableToMap },
    isDraft: true,
    choices: { ...mapped, kind: 'products', fields: ['', '', ''] },
  }),
  'upload-checked': uploadPage({ ...anUpload, outcome: { kind: 'checked', report } }),
  'upload-not-told': uploadPage({ ...anUpload, notTold: 'Somebody else brought these files.' }),
  'upload-stopped': uploadPage({ ...anUpload, outcome: { kind: 'stopped' } }),
  'upload-interrupted': uploadPage({ ...anUpload, outcome: { kind: 'interrupted' } }),
  'upload-published': uploadPage({
    ...anUpload,
    upload: { ...upload, state: 'published', files: [] },
    outcome: { kind: 'published', report },
  }),
  'store-connections': storePage({ ...aStore, connections: [aConnection, hostileConnection] }),
  connections: connectionsPage({
    messages: ENGLISH,
    ...{ paths, account, business: hostileStore, vendors: VENDORS, notice: 'Saved.' },
    connections: [aConnection, hostileConnection, { ...aConnection, next: { kind: 'paused' } }],
  }),
  'connections-none': connectionsPage({
    messages: ENGLISH,
    ...{ paths, account, business: store, connections: [], vendors: VENDORS, notice: null },
  }),
  ...Object.fromEntries(
    VENDORS.map((vendor) => [
      `connection-new-${vendor.name}`,
      newConnectionPage({ messages: ENGLISH, ...connectionForm, vendor, given: {} }),
    ]),
  ),
  'connection-new-error': newConnectionPage({
    messages: ENGLISH,
    ...{ ...connectionForm, business: hostileStore, error: HOSTILE_NAME },
    given: { name: HOSTILE_NAME, setting_shop: HOSTILE_NAME, minutes: '60' },
  }),
  'connection-connected': triedPage({
    messages: ENGLISH,
    ...{
      ...connectionForm,
      isNew: true,
      isPaused: false,
      connection: aConnection,
      accountName: HOSTILE_NAME,
    },
    missing: [{ scope: 'read_all_orders', costs: 'only orders of the last 60 days' }],
    untried: [],
  }),
  'connection-key': connectionKeyPage({
    messages: ENGLISH,
    ...connectionForm,
    vendor: vendorOf('klaviyo'),
    connection: hostileConnection,
  }),
  'connection-key-error': connectionKeyPage({
    messages: ENGLISH,
    ...connectionForm,
    connection: aConnection,
    error: HOSTILE_NAME,
  }),
  'connection-key-changed': triedPage({
    messages: ENGLISH,
    ...{
      ...connectionForm,
      isNew: false,
      isPaused: true,
      connection: aConnection,
      accountName: 'Nordic Garden',
      untried: ['Client secret'],
      missing: [],
    },
  }),
  connection: connectionPage(connectionAtHand),
  'connection-new': connectionPage({
    ...{ ...connectionAtHand, runs: [], hook: null, reloads: true, isReader: false },
    connection: { ...aConnection, state: 'state.new', next: { kind: 'soon' } },
  }),
  'connection-hostile': connectionPage({
    ...{ ...connectionAtHand, connection: hostileConnection, business: hostileStore, error: HOSTILE_NAME },
    runs: [{ ...aRun, state: 'vendor_down', message: HOSTILE_NAME }],
    refusal: { kind: 'refused', message: `nothing was recognised\n${HOSTILE_NAME}` },
  }),
  'connection-rejects': connectionPage({
    ...connectionAtHand,
    refusal: {
      kind: 'rejects',
      rows: { read: 100, rejected: 20, examples: ['orders.csv:3 total', HOSTILE_NAME] },
    },
  }),
  'connection-questions': connectionPage({ ...connectionAtHand, isReader: false, refusal: questions }),
  'connection-gone': connectionPage({
    ...{ ...connectionAtHand, refused: someGone },
    connection: { ...aConnection, state: 'state.deletions-refused', advice: 'advice.deletions-refused' },
    runs: [{ ...aRun, state: 'deletions_refused', report: { ...aRun.report, refused: someGone } }],
  }),
  'connection-gone-uncounted': connectionPage({
    ...connectionAtHand,
    refused: someGone,
    isReader: false,
  }),
  'connection-confirm-deletions': confirmDeletionsPage({
    messages: ENGLISH,
    ...{ paths, account, business: hostileStore, connection: hostileConnection },
    refused: someGone[0] as RefusedDeletions,
  }),
  'connection-remove': removeConnectionPage({
    messages: ENGLISH,
    paths,
    account,
    business: store,
    connection: aConnection,
    error: null,
  }),
  'connection-remove-error': removeConnectionPage({
    messages: ENGLISH,
    ...{ paths, account, business: hostileStore, connection: hostileConnection, error: HOSTILE_NAME },
  }),
  managers: managersPage({ ...managers, managers: people, notice: 'Saved.' }),
  'managers-error': managersPage({ ...managers, business: hostileStore, error: 'Choose an account.' }),
  'managers-alone': managersPage({ ...managers, others: [] }),
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
    link: { href: paths.apps, label: 'Connected apps' },
  }),
};
