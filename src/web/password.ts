import type { Account } from '../control/accounts.ts';
import {
  checkCredentials,
  findPasswordLink,
  hasPassword,
  setPassword,
  usePasswordLink,
} from '../control/credentials.ts';
import { InputError } from '../model/errors.ts';
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
import { tooManyTries } from './sign-in-limits.ts';

/** Changing one's password, and setting it with the link that `account invite` makes. */
export function addPassword(app: PageApp, pages: Pages): void {
  const { paths, control, session } = pages;

  app.get(paths.password, async (context) => {
    const account = await requireAccount(pages, context);
    if (account instanceof Response) return account;
    const notice = context.req.query('done') === undefined ? null : 'Your password is changed.';
    return showChange(pages, context, account, { notice });
  });

  app.post(paths.password, async (context) => {
    const account = await requireAccount(pages, context);
    if (account instanceof Response) return account;
    const form = await readForm(context);
    try {
      const wait = await checkCurrent(pages, context, account, form.text('current_password'));
      if (wait > 0) {
        context.header('Retry-After', String(wait));
        return showChange(pages, context, account, { error: tooManyTries(wait) }, 429);
      }
      await setPassword(control, account.account_id, readNewPassword(form));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return showChange(pages, context, account, { error: sentence(error.message) }, 400);
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
      return context.redirect(`${paths.connect}?done=password`, 303);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      const page = newPasswordPage({ paths, link, email: found.email, error: sentence(error.message) });
      return context.html(page, 400);
    }
  });
}

/** @throws InputError when the two differ */
function readNewPassword(form: Form): string {
  if (form.text('new_password') === form.text('repeated_password')) return form.text('new_password');
  throw new InputError('the two new passwords differ');
}

/**
 * Whoever sits at somebody's browser must not be able to take the account over; tries are limited as at the sign-in.
 *
 * @returns the seconds to wait; 0 when it is right
 * @throws InputError when it is wrong
 */
async function checkCurrent(
  { control, limits, ...pages }: Pages,
  context: PageContext,
  account: Account,
  password: string,
): Promise<number> {
  if (!(await hasPassword(control, account.account_id))) return 0;
  const address = pages.addressOf(context);
  const wait = await limits.begin(account.email, address);
  if (wait > 0) return wait;
  if ((await checkCredentials(control, account.email, password)) === null) {
    throw new InputError('the current password is wrong');
  }
  await limits.succeed(account.email, address);
  return 0;
}

async function showChange(
  { paths, control }: Pages,
  context: PageContext,
  account: Account,
  { error = null, notice = null }: { readonly error?: string | null; readonly notice?: string | null },
  status: 200 | 400 | 429 = 200,
): Promise<Response> {
  const page = changePasswordPage({
    paths,
    account,
    hasPassword: await hasPassword(control, account.account_id),
    error,
    notice,
  });
  return context.html(page, status);
}

function linkOver({ paths }: Pages) {
  return messagePage({
    paths,
    account: null,
    title: 'This link is over',
    text: 'A link to set a password works once, and for seven days.',
    whatToDo:
      'If you set your password already, sign in. Else ask whoever runs this Storesight for a new link.',
    link: { href: paths.signIn, label: 'Sign in' },
  });
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
