import { html } from 'hono/html';
import { LEAST_LENGTH } from '../../control/people/password-hashes.ts';
import type { Messages } from '../../messages/messages.ts';
import type { PagePaths } from '../paths.ts';
import { layout, type PageText } from './layout.ts';
import type { AccountView, Html } from './views.ts';

export interface ChangePasswordPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly error: PageText | null;
  readonly notice: string | null;
  readonly messages: Messages;
}

export function changePasswordPage(page: ChangePasswordPage): Html {
  const { paths, account, error, notice, messages } = page;
  const { say } = messages;
  const body = html`
      <form class="card stack" method="post" action="${paths.password}">
        ${accountField(account.email, messages)}
        <div class="field">
          <label for="current-password">${say('password.current')}</label>
          <input id="current-password" name="current_password" type="password" autocomplete="current-password" required${error !== null && html` aria-describedby="error"`}>
        </div>
        ${newPasswordFields(error, messages)}
        <button class="button primary" type="submit">${say('password.change')}</button>
      </form>`;
  return layout({
    title: say('password.change-title'),
    paths,
    account,
    error,
    notice,
    current: paths.password,
    body,
    messages,
  });
}

export interface NewPasswordPage {
  readonly paths: PagePaths;
  /** The secret part of the one-time link. */
  readonly link: string;
  readonly email: string;
  readonly error: PageText | null;
  readonly messages: Messages;
}

export function newPasswordPage({ paths, link, email, error, messages }: NewPasswordPage): Html {
  const { say } = messages;
  const body = html`
      <form class="card stack" method="post" action="${paths.passwordLink(link)}">
        ${accountField(email, messages)}
        ${newPasswordFields(error, messages)}
        <button class="button primary wide" type="submit">${say('password.save')}</button>
      </form>`;
  return layout({
    title: say('password.choose-title'),
    paths,
    account: null,
    error,
    body,
    narrow: true,
    messages,
  });
}

/** Tells a password manager whose password it saves. The field has no name, so it is never sent. */
function accountField(email: string, { say }: Messages): Html {
  return html`<div class="field">
          <label for="username">${say('password.account')}</label>
          <input id="username" type="email" value="${email}" autocomplete="username" readonly>
        </div>`;
}

function newPasswordFields(error: PageText | null, { say }: Messages): Html {
  const describedBy = (hint: string) => (error === null ? hint : `error ${hint}`);
  return html`<div class="field">
          <label for="new-password">${say('password.new')}</label>
          <p class="hint" id="new-password-hint">${say('password.hint', { least: LEAST_LENGTH })}</p>
          <input id="new-password" name="new_password" type="password" autocomplete="new-password" minlength="${LEAST_LENGTH}" required aria-describedby="${describedBy('new-password-hint')}">
        </div>
        <div class="field">
          <label for="repeated-password">${say('password.again')}</label>
          <input id="repeated-password" name="repeated_password" type="password" autocomplete="new-password" minlength="${LEAST_LENGTH}" required${error !== null && html` aria-describedby="error"`}>
        </div>`;
}
