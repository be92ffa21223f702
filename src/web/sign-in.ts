import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { checkCredentials } from '../control/credentials.ts';
import { accountOfIdentity } from '../control/identities.ts';
import { type IdentityProvider, SignInError } from './identity-provider.ts';
import { type PageApp, type PageContext, type Pages, readForm, readReturnTo } from './page-context.ts';
import { signInPage } from './pages/sign-in.ts';

const WRONG = 'The e-mail address or the password is wrong.';
const UNKNOWN_THERE =
  'Nobody here has the e-mail address that your sign-in confirmed. Ask whoever runs this Storesight for an account.';

export function addSignIn(app: PageApp, pages: Pages): void {
  const { paths, session, limits, control } = pages;

  app.get(paths.signIn, async (context) => {
    const returnTo = readReturnTo(pages, context.req.query('return_to'));
    if ((await session.account(context)) !== null) return context.redirect(returnTo, 303);
    return showSignIn(pages, context, { returnTo });
  });

  app.post(paths.signIn, async (context) => {
    const form = await readForm(context);
    const [email, returnTo] = [form.text('email'), readReturnTo(pages, form.text('return_to'))];
    const address = pages.addressOf(context);
    const wait = await limits.begin(email, address);
    if (wait > 0) {
      const error = `Too many tries. Try again in ${Math.ceil(wait / 60)} minutes.`;
      context.header('Retry-After', String(wait));
      return showSignIn(pages, context, { returnTo, email, error }, 429);
    }
    const account = await checkCredentials(control, email, form.text('password'));
    if (account === null) return showSignIn(pages, context, { returnTo, email, error: WRONG }, 401);
    await limits.succeed(email, address);
    await session.begin(context, account);
    return context.redirect(returnTo, 303);
  });

  app.post(paths.signOut, async (context) => {
    const form = await readForm(context);
    await session.end(context);
    const returnTo = readReturnTo(pages, form.text('return_to'));
    return context.redirect(`${paths.signIn}?return_to=${encodeURIComponent(returnTo)}`, 303);
  });

  if (pages.identityProvider !== null) addProviderSignIn(app, pages, pages.identityProvider);
}

interface SignInView {
  readonly returnTo: string;
  readonly email?: string;
  readonly error?: string;
}

async function showSignIn(
  { paths, authorizationServer, identityProvider }: Pages,
  context: PageContext,
  { returnTo, email = '', error }: SignInView,
  status: 200 | 400 | 401 | 403 | 429 = 200,
): Promise<Response> {
  const uid = returnTo.startsWith(paths.consent('')) ? returnTo.slice(paths.consent('').length) : null;
  const request = uid === null ? null : await authorizationServer.peekConsentRequest(uid);
  const client = request && { ...request.client, metadata_host: request.metadata_host };
  return context.html(
    signInPage({ paths, returnTo, email, error: error ?? null, client, identityProvider }),
    status,
  );
}

/** For the way to the identity provider and back. */
const STATE_COOKIE = 'storesight_sign_in';
const STATE_SECONDS = 600;

function addProviderSignIn(app: PageApp, pages: Pages, provider: IdentityProvider): void {
  const { paths, session, control, origin } = pages;
  const cookie = {
    path: paths.identityProviderReturn,
    httpOnly: true,
    sameSite: 'Lax',
    secure: origin.startsWith('https:'),
  } as const;

  app.post(paths.identityProvider, async (context) => {
    const returnTo = readReturnTo(pages, (await readForm(context)).text('return_to'));
    return orSignInError(context, returnTo, async () => {
      const { url, state } = await provider.begin(returnTo);
      setCookie(context, STATE_COOKIE, state, { ...cookie, maxAge: STATE_SECONDS });
      return context.redirect(url, 303);
    });
  });

  app.get(paths.identityProviderReturn, (context) =>
    orSignInError(context, paths.connections, async () => {
      const { search } = new URL(context.req.url);
      const state = getCookie(context, STATE_COOKIE);
      deleteCookie(context, STATE_COOKIE, cookie);
      const { identity, returnTo } = await provider.finish(
        new URL(`${paths.identityProviderReturn}${search}`, origin),
        state,
      );
      const account = await accountOfIdentity(control, identity);
      if (account === null) {
        return showSignIn(pages, context, { returnTo, error: UNKNOWN_THERE }, 403);
      }
      await session.begin(context, account);
      return context.redirect(readReturnTo(pages, returnTo), 303);
    }),
  );

  async function orSignInError(
    context: PageContext,
    returnTo: string,
    run: () => Promise<Response>,
  ): Promise<Response> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof SignInError)) throw error;
      return showSignIn(pages, context, { returnTo, error: error.message }, 400);
    }
  }
}
