import { html } from 'hono/html';
import type { PagePaths } from '../paths.ts';
import { layout } from './layout.ts';
import type { AccountView, Html } from './views.ts';

/** The least length that `src/control/passwords.ts` demands, which checks it again. */
const LEAST_LENGTH = 12;

export interface ChangePasswordPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly error: string | null;
  readonly notice: string | null;
}

export function changePasswordPage({ paths, account, error, notice }: ChangePasswordPage): Html {
  const body = html`
      <form class="card stack" method="post" action="${paths.password}">
        ${accountField(account.email)}
        <div class="field">
          <label for="current-password">Current password</label>
          <input id="current-password" name="current_password" type="password" autocomplete="current-password" required${error !== null && html` aria-describedby="error"`}>
        </div>
        ${newPasswordFields(error)}
        <button class="button primary" type="submit">Change the password</button>
      </form>`;
  return layout({
    title: 'Change your password',
    paths,
    account,
    error,
    notice,
    current: paths.password,
    body,
  });
}

export interface NewPasswordPage {
  readonly paths: PagePaths;
  /** The secret of the one-time link. */
  readonly link: string;
  readonly email: string;
  readonly error: string | null;
}

export function newPasswordPage({ paths, link, email, error }: NewPasswordPage): Html {
  const body = html`
      <form class="card stack" method="post" action="${paths.passwordLink(link)}">
        ${accountField(email)}
        ${newPasswordFields(error)}
        <button class="button primary wide" type="submit">Save the password</button>
      </form>`;
  return layout({ title: 'Choose a password', paths, account: null, error, body, narrow: true });
}

/** Tells a password manager whose password it saves. Without a name, so that it is never sent. */
function accountField(email: string): Html {
  return html`<div class="field">
          <label for="username">Account</label>
          <input id="username" type="email" value="${email}" autocomplete="username" readonly>
        </div>`;
}

function newPasswordFields(error: string | null): Html {
  const describedBy = (hint: string) => (error === null ? hint : `error ${hint}`);
  return html`<div class="field">
          <label for="new-password">New password</label>
          <p class="hint" id="new-password-hint">At least ${LEAST_LENGTH} characters, such as several words.</p>
          <input id="new-password" name="new_password" type="password" autocomplete="new-password" minlength="${LEAST_LENGTH}" required aria-describedby="${describedBy('new-password-hint')}">
        </div>
        <div class="field">
          <label for="repeated-password">New password again</label>
          <input id="repeated-password" name="repeated_password" type="password" autocomplete="new-password" minlength="${LEAST_LENGTH}" required${error !== null && html` aria-describedby="error"`}>
        </div>`;
}
