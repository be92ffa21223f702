import { html } from 'hono/html';
import type { PagePaths } from '../paths.ts';
import { layout } from './layout.ts';
import { untrustedName } from './untrusted-text.ts';
import type { ClientView, Html } from './views.ts';

export interface SignInPage {
  readonly paths: PagePaths;
  /** Where the sign-in leads. The server must check it when it comes back. */
  readonly returnTo: string;
  /** What was typed before; empty at first. */
  readonly email: string;
  readonly error: string | null;
  /** The app that sent the person here. */
  readonly client: ClientView | null;
  readonly identityProvider: { readonly name: string } | null;
}

export function signInPage({ paths, returnTo, email, error, client, identityProvider }: SignInPage): Html {
  // Focused only after an error: on the first visit a screen reader should begin at the top of the page.
  const focused = error === null ? null : email === '' ? 'email' : 'password';
  const describedBy = error !== null && html` aria-describedby="error" aria-invalid="true"`;
  const autofocus = (field: string) => field === focused && html` autofocus`;
  const body = html`
      ${client && html`<p class="lead">Sign in to connect ${appName(client)}.</p>`}
      ${identityProvider && providerForm(paths, returnTo, identityProvider.name)}
      <form class="card stack" method="post" action="${paths.signIn}">
        <input type="hidden" name="return_to" value="${returnTo}">
        <div class="field">
          <label for="email">E-mail address</label>
          <input id="email" name="email" type="email" value="${email}" autocomplete="username" autocapitalize="none" spellcheck="false" required${describedBy}${autofocus('email')}>
        </div>
        <div class="field">
          <label for="password">Password</label>
          <input id="password" name="password" type="password" autocomplete="current-password" required${describedBy}${autofocus('password')}>
        </div>
        <button class="button primary wide" type="submit">Sign in</button>
      </form>
      <section class="aside" aria-labelledby="no-password">
        <h2 id="no-password">No password yet, or forgotten?</h2>
        <p>Ask whoever runs this Storesight for a new link.</p>
      </section>`;
  return layout({ title: 'Sign in', paths, account: null, error, body, narrow: true });
}

function appName(client: ClientView): Html {
  return html`<strong>${untrustedName(client.client_name, 'an app without a name')}</strong>`;
}

function providerForm(paths: PagePaths, returnTo: string, name: string): Html {
  return html`<form class="stack" method="post" action="${paths.identityProvider}">
        <input type="hidden" name="return_to" value="${returnTo}">
        <button class="button wide" type="submit">Sign in with ${untrustedName(name, 'your organisation')}</button>
      </form>
      <p class="or"><span>or with a password</span></p>`;
}
