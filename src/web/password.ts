import type { Account } from '../control/accounts.ts';
import { assignedBusinesses } from '../control/businesses.ts';
import { findPasswordLink, hasPassword, setPassword, usePasswordLink } from '../control/credentials.ts';
import { managedBusinesses, mayCreateBusinesses } from '../control/managers.ts';
import { InputError } from '../errors.ts';
import {
  type Form,
  type PageApp,
  type PageContext,
  type Pages,
  readForm,
  requireAccount,
} from './page-context.ts';
import { messagePage } from './pages/message.ts';
import { changePasswordPage, newPasswordPage } from './pages/password.ts';
import { tooManyTries, tryPassword } from './sign-in-limits.ts';

/** Changing one's password, and setting it with the link that `account invite` makes. */
export function addPassword(app: PageApp, pages: Pages): void {
  const { paths, control, session } = pages;

  app.get(paths.password, async (context) => {
    const account = await requirePassword(pages, context);
    if (account instanceof Response) return account;
    const notice = context.req.query('done') === undefined ? null : CHANGED;
    return context.html(changePasswordPage({ paths, account, error: null, notice }));
  });

  // Whoever sits at somebody's browser must not be able to take the account over, so it needs the current one.
  app.post(paths.password, async (context) => {
    const account = await requirePassword(pages, context);
    if (account instanceof Response) return account;
    const refuse = (status: 400 | 429, error: string) =>
      context.html(changePasswordPage({ paths, account, error, notice: null }), status);
    const form = await readForm(context);
    // Whoever has the session has signed in, and is not held up by what others try.
    const device = session.nameOf(context);
    const from = { email: account.email, address: pages.addressOf(context), device };
    const checked = await tryPassword(pages, from, form.text('current_password'));
    if (typeof checked === 'number') {
      context.header('Retry-After', String(checked));
      return refuse(429, tooManyTries(checked, from));
    }
    if (checked === null) return refuse(400, 'The current password is wrong.');
    try {
      await setPassword(control, account, readNewPassword(form), { key: device, isKnown: true });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return refuse(400, sentence(error.message));
    }
    await session.begin(context, account);
    return context.redirect(`${paths.password}?done=1`, 303);
  });

  app.get(paths.passwordLink(':link'), async (context) => {
    const link = context.req.param('link') ?? '';
    const account = await findPasswordLink(control, link);
    if (account === null) return context.html(linkOver(pages), 404);
    return context.html(newPasswordPage({ paths, link, email: account.email, error: null }));
  });

  app.post(paths.passwordLink(':link'), async (context) => {
    const link = context.req.param('link') ?? '';
    const found = await findPasswordLink(control, link);
    if (found === null) return context.html(linkOver(pages), 404);
    const form = await readForm(context);
    try {
      const account = await usePasswordLink(control, link, readNewPassword(form));
      await session.begin(context, account);
      return context.redirect(await firstPage(pages, account.account_id), 303);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const page = newPasswordPage({ paths, link, email: found.email, error: sentence(error.message) });
      return context.html(page, 400);
    }
  });
}

/** Whoever has no store and may make one wants to do that; others connect an app. */
async function firstPage({ paths, control }: Pages, accountId: string): Promise<string> {
  const [assigned, managed, mayCreate] = await Promise.all([
    assignedBusinesses(control, accountId),
    managedBusinesses(control, accountId),
    mayCreateBusinesses(control, accountId),
  ]);
  return mayCreate && assigned.length + managed.length === 0
    ? paths.stores
    : `${paths.connect}?done=password`;
}

const CHANGED = 'Your password is changed. Other browsers are signed out; connected apps stay connected.';

/** @throws InputError when the two differ */
function readNewPassword(form: Form): string {
  if (form.text('new_password') === form.text('repeated_password')) return form.text('new_password');
  throw new InputError('the two new passwords differ');
}

/** The account that is signed in and has a password; else the response that says what to do. */
async function requirePassword(pages: Pages, context: PageContext): Promise<Account | Response> {
  const { paths, control } = pages;
  const account = await requireAccount(pages, context);
  if (account instanceof Response || (await hasPassword(control, account.account_id))) return account;
  const page = messagePage({
    paths,
    account,
    title: 'This account has no password',
    text: 'You sign in elsewhere, and that is enough.',
    whatToDo: 'If you want a password too, ask whoever runs this Storesight for a link.',
    link: { href: paths.connections, label: 'Connected apps' },
  });
  return context.html(page, 403);
}

function linkOver({ paths }: Pages) {
  return messagePage({
    paths,
    account: null,
    title: 'This link has expired or was already used',
    text: 'A link to set a password works once, and for seven days.',
    whatToDo:
      'If you set your password already, sign in. Else ask whoever runs this Storesight for a new link.',
    link: { href: paths.signIn, label: 'Sign in' },
  });
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
