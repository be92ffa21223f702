import { assignedBusinesses } from '../control/businesses/businesses.ts';
import type { Account } from '../control/people/accounts.ts';
import {
  findPasswordLink,
  hasPassword,
  setPassword,
  usePasswordLink,
} from '../control/people/credentials.ts';
import { managedBusinesses, mayCreateBusinesses } from '../control/people/managers.ts';
import { LEAST_LENGTH, MOST_LENGTH, PasswordError } from '../control/people/password-hashes.ts';
import { InputError } from '../errors.ts';
import { MessageError } from '../messages/message-error.ts';
import type { Messages } from '../messages/messages.ts';
import {
  type Form,
  messagesOf,
  type PageApp,
  type PageContext,
  type Pages,
  readForm,
  requireAccount,
} from './page-context.ts';
import type { PageText } from './pages/layout.ts';
import { changePasswordPage, newPasswordPage } from './pages/password.ts';
import { showMessage } from './show-message.ts';
import { tooManyTries, tryPassword } from './sign-in-limits.ts';

/** Adds the pages to change one's password, and to set it by the link that `account invite` makes. */
export function addPassword(app: PageApp, pages: Pages): void {
  const { paths, control, session } = pages;

  app.get(paths.password, async (context) => {
    const account = await requirePassword(pages, context);
    if (account instanceof Response) return account;
    const messages = messagesOf(context);
    const notice = context.req.query('done') === undefined ? null : messages.say('password.changed');
    return context.html(changePasswordPage({ paths, account, error: null, notice, messages }));
  });

  // Somebody at another person's browser must not take the account over, so the current password is needed.
  app.post(paths.password, async (context) => {
    const account = await requirePassword(pages, context);
    if (account instanceof Response) return account;
    const messages = messagesOf(context);
    const refuse = (status: 400 | 429, error: PageText) =>
      context.html(changePasswordPage({ paths, account, error, notice: null, messages }), status);
    const form = await readForm(context);
    // The session proves an earlier sign-in, so failures of others do not hold its owner up.
    const device = session.nameOf(context);
    const from = { email: account.email, address: pages.addressOf(context), device };
    const checked = await tryPassword(pages, from, form.text('current_password'));
    if (typeof checked === 'number') {
      context.header('Retry-After', String(checked));
      return refuse(429, tooManyTries(checked, from, messages));
    }
    if (checked === null) return refuse(400, messages.say('password.wrong'));
    try {
      await setPassword(control, account, readNewPassword(form), { key: device, isKnown: true });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return refuse(400, sentence(error, messages));
    }
    await session.begin(context, account);
    return context.redirect(`${paths.password}?done=1`, 303);
  });

  app.get(paths.passwordLink(':link'), async (context) => {
    const link = context.req.param('link') ?? '';
    const account = await findPasswordLink(control, link);
    const messages = messagesOf(context);
    if (account === null) return showLinkOver(pages, context);
    return context.html(newPasswordPage({ paths, link, email: account.email, error: null, messages }));
  });

  app.post(paths.passwordLink(':link'), async (context) => {
    const link = context.req.param('link') ?? '';
    const found = await findPasswordLink(control, link);
    const messages = messagesOf(context);
    if (found === null) return showLinkOver(pages, context);
    const form = await readForm(context);
    try {
      const account = await usePasswordLink(control, link, readNewPassword(form));
      await session.begin(context, account);
      return context.redirect(await firstPage(pages, account.account_id), 303);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const why = sentence(error, messages);
      const page = newPasswordPage({ paths, link, email: found.email, error: why, messages });
      return context.html(page, 400);
    }
  });
}

/**
 * The first page after the password: making a store, for an account that may and has none; else connecting an
 * app.
 */
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

/** @throws InputError when the two differ */
function readNewPassword(form: Form): string {
  if (form.text('new_password') === form.text('repeated_password')) return form.text('new_password');
  throw new MessageError('password.differ');
}

/** The signed-in account, if it has a password; else the response that says what to do. */
async function requirePassword(pages: Pages, context: PageContext): Promise<Account | Response> {
  const { paths, control } = pages;
  const account = await requireAccount(pages, context);
  if (account instanceof Response || (await hasPassword(control, account.account_id))) return account;
  return showMessage(pages, context, { status: 403, account }, ({ say }) => ({
    title: say('password.none'),
    text: say('password.none-text'),
    whatToDo: say('password.none-do'),
    link: { href: paths.apps, label: say('layout.apps') },
  }));
}

/** The page for a link to choose a password that has expired. */
function showLinkOver(pages: Pages, context: PageContext) {
  return showMessage(pages, context, { status: 404 }, ({ say }) => ({
    title: say('password.link-over'),
    text: say('password.link-over-text'),
    whatToDo: say('password.link-over-do'),
    link: { href: pages.paths.signIn, label: say('sign-in.do') },
  }));
}

function refusedPassword({ why }: PasswordError, { say }: Messages): string {
  if (why === 'too short') return say('password.too-short', { least: LEAST_LENGTH });
  return why === 'too long' ? say('password.too-long', { most: MOST_LENGTH }) : say('password.too-easy');
}

function sentence(error: InputError, messages: Messages): PageText {
  const whole = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
  if (error instanceof MessageError) return whole(error.in(messages));
  return error instanceof PasswordError
    ? whole(refusedPassword(error, messages))
    : { english: whole(error.message) };
}
