import { deleteCookie, setCookie } from 'hono/cookie';
import { accountOfIdentity } from '../control/people/provider-identities.ts';
import { hostCookie, readHostCookie } from './host-cookie.ts';
import {
  messagesOf,
  type PageApp,
  type PageContext,
  type Pages,
  readForm,
  readReturnTo,
} from './page-context.ts';
import { showSignIn } from './sign-in.ts';
import { SIGN_IN_MINUTES, SignInError } from './sign-in-error.ts';

/** The cookie that the browser must bring back from the identity provider. */
const STATE_COOKIE = 'storesight_sign_in';

/** Adds the sign-in at another provider, if one is configured. */
export function addProviderSignIn(app: PageApp, pages: Pages): void {
  const { paths, session, control, origin, log, identityProvider: provider } = pages;
  if (provider === null) return;
  const cookie = hostCookie(origin);

  app.post(paths.identityProvider, async (context) => {
    const returnTo = readReturnTo(pages, (await readForm(context)).text('return_to'));
    return orSignInError(context, returnTo, async () => {
      const { url, state } = await provider.begin(returnTo);
      setCookie(context, STATE_COOKIE, state, { ...cookie, maxAge: SIGN_IN_MINUTES * 60 });
      return context.redirect(url, 303);
    });
  });

  app.get(paths.identityProviderReturn, (context) =>
    orSignInError(context, paths.apps, async () => {
      const { search } = new URL(context.req.url);
      const state = readHostCookie(context, STATE_COOKIE, cookie);
      deleteCookie(context, STATE_COOKIE, cookie);
      const returnUrl = new URL(`${paths.identityProviderReturn}${search}`, origin);
      const { identity, returnTo } = await provider.finish(returnUrl, state);
      const account = await accountOfIdentity(control, identity);
      if (account === null) throw provider.explainNoAccount(identity);
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
      const { failure, detail } = error;
      log.warn({ failure, detail }, 'sign-in at the identity provider failed');
      return showSignIn(pages, context, { returnTo, error: error.in(messagesOf(context)) }, 400);
    }
  }
}
