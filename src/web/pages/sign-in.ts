import { html } from 'hono/html';
import type { Messages } from '../../messages/messages.ts';
import type { PagePaths } from '../paths.ts';
import { layout, type PageText } from './layout.ts';
import { untrustedName } from './untrusted-text.ts';
import type { ClientView, Html } from './views.ts';

export interface SignInPage {
  readonly paths: PagePaths;
  /** The path to which the sign-in leads. The server must check it again when the form comes back. */
  readonly returnTo: string;
  /** The e-mail that was typed before; empty at first. */
  readonly email: string;
  readonly error: PageText | null;
  /** The app that sent the person here. */
  readonly client: ClientView | null;
  readonly identityProvider: { readonly name: string } | null;
  readonly messages: Messages;
}

export function signInPage(page: SignInPage): Html {
  const { paths, returnTo, email, error, client, identityProvider, messages } = page;
  const { say, around } = messages;
  // A field is focused only after an error: on the first visit a screen reader should begin at the top of the
  // page.
  const focused = error === null ? null : email === '' ? 'email' : 'password';
  const describedBy = error !== null && html` aria-describedby="error" aria-invalid="true"`;
  const autofocus = (field: string) => field === focused && html` autofocus`;
  const body = html`
      ${client && html`<p class="lead">${around('sign-in.to-connect', { app: appName(client, messages) })}</p>`}
      ${identityProvider && providerForm(paths, returnTo, identityProvider.name, messages)}
      <form class="card stack" method="post" action="${paths.signIn}">
        <input type="hidden" name="return_to" value="${returnTo}">
        <div class="field">
          <label for="email">${say('sign-in.email')}</label>
          <input id="email" name="email" type="email" value="${email}" autocomplete="username" autocapitalize="none" spellcheck="false" required${describedBy}${autofocus('email')}>
        </div>
        <div class="field">
          <label for="password">${say('sign-in.password')}</label>
          <input id="password" name="password" type="password" autocomplete="current-password" required${describedBy}${autofocus('password')}>
        </div>
        <button class="button primary wide" type="submit">${say('sign-in.do')}</button>
      </form>
      <section class="aside" aria-labelledby="no-password">
        <h2 id="no-password">${say('sign-in.no-password')}</h2>
        <p>${say('sign-in.ask-link')}</p>
      </section>`;
  return layout({ title: say('sign-in.title'), paths, account: null, error, body, narrow: true, messages });
}

function appName(client: ClientView, { say }: Messages): Html {
  return html`<strong>${untrustedName(client.client_name, say('sign-in.nameless-app'))}</strong>`;
}

function providerForm(paths: PagePaths, returnTo: string, name: string, messages: Messages): Html {
  const { say, around } = messages;
  return html`<form class="stack" method="post" action="${paths.identityProvider}">
        <input type="hidden" name="return_to" value="${returnTo}">
        <button class="button wide" type="submit">${around('sign-in.with', { name: untrustedName(name, say('sign-in.organisation')) })}</button>
      </form>
      <p class="or"><span>${say('sign-in.or-password')}</span></p>`;
}
