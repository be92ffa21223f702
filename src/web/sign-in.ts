import {
  messagesOf,
  type PageApp,
  type PageContext,
  type Pages,
  readForm,
  readReturnTo,
} from './page-context.ts';
import type { PageText } from './pages/layout.ts';
import { signInPage } from './pages/sign-in.ts';
import { tooManyTries, tryPassword } from './sign-in-limits.ts';

export function addSignIn(app: PageApp, pages: Pages): void {
  const { paths, session } = pages;

  app.get(paths.signIn, async (context) => {
    const returnTo = readReturnTo(pages, context.req.query('return_to'));
    if ((await session.account(context)) !== null) return context.redirect(returnTo, 303);
    return showSignIn(pages, context, { returnTo });
  });

  app.post(paths.signIn, async (context) => {
    const messages = messagesOf(context);
    const form = await readForm(context);
    const [email, returnTo] = [form.text('email'), readReturnTo(pages, form.text('return_to'))];
    const from = { email, address: pages.addressOf(context), device: pages.devices.find(context, email) };
    const account = await tryPassword(pages, from, form.text('password'));
    if (typeof account === 'number') {
      context.header('Retry-After', String(account));
      return showSignIn(
        pages,
        context,
        { returnTo, email, error: tooManyTries(account, from, messages) },
        429,
      );
    }
    if (account === null) {
      const error = messages.say('sign-in.wrong');
      return showSignIn(pages, context, { returnTo, email, error }, 401);
    }
    await session.begin(context, account);
    return context.redirect(returnTo, 303);
  });

  app.post(paths.signOut, async (context) => {
    const form = await readForm(context);
    await session.end(context);
    const returnTo = readReturnTo(pages, form.text('return_to'));
    return context.redirect(`${paths.signIn}?return_to=${encodeURIComponent(returnTo)}`, 303);
  });
}

interface SignInView {
  readonly returnTo: string;
  readonly email?: string;
  readonly error?: PageText;
}

export async function showSignIn(
  { paths, authorizationServer, identityProvider }: Pages,
  context: PageContext,
  { returnTo, email = '', error }: SignInView,
  status: 200 | 400 | 401 | 403 | 429 = 200,
): Promise<Response> {
  // A person who comes from an app sees its name.
  const uid = returnTo.startsWith(paths.consent('')) ? returnTo.slice(paths.consent('').length) : null;
  const request = uid === null ? null : await authorizationServer.peekConsentRequest(uid);
  const client = request && { ...request.client, metadata_host: request.metadata_host };
  return context.html(
    signInPage({
      paths,
      returnTo,
      email,
      error: error ?? null,
      client,
      identityProvider,
      messages: messagesOf(context),
    }),
    status,
  );
}
