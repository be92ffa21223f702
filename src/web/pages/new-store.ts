import { html } from 'hono/html';
import type { Messages } from '../../messages/messages.ts';
import type { PagePaths } from '../paths.ts';
import { layout } from './layout.ts';
import type { AccountView, Html } from './views.ts';

export interface NewStorePage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  /** The name that was typed before. */
  readonly name: string;
  readonly error: string | null;
  readonly messages: Messages;
}

/**
 * The form asks only for the name: the files tell the time zone and the currency, and the store's settings
 * have the rest.
 */
export function newStorePage({ paths, account, name, error, messages }: NewStorePage): Html {
  const { say } = messages;
  const body = html`
      <form class="card stack" method="post" action="${paths.newStore}">
        ${storeFields(name, error, messages)}
        <div class="buttons">
          <button class="button primary" type="submit">${say('new-store.create')}</button>
          <a class="button" href="${paths.stores}">${say('new-store.cancel')}</a>
        </div>
      </form>`;
  return layout({ title: say('new-store.title'), paths, account, error, body, messages });
}

/** The fields of the form for a new store. */
export function storeFields(name: string, error: string | null, { say }: Messages): Html {
  return html`<div class="field">
          <label for="name">${say('new-store.name')}</label>
          <input id="name" name="name" type="text" value="${name}" maxlength="100" autocomplete="off" required${error !== null && html` aria-describedby="error"`}>
        </div>`;
}
