import { html } from 'hono/html';
import type { RefusedDeletions } from '../../live/reconcile/refused-deletions.ts';
import type { Messages } from '../../messages/messages.ts';
import type { PagePaths } from '../paths.ts';
import type { ConnectionView } from './connection-views.ts';
import { layout } from './layout.ts';
import { rowsInWords } from './rows-in-words.ts';
import { type StoreView, storeName } from './stores.ts';
import { plainLine } from './untrusted-text.ts';
import type { AccountView, Html } from './views.ts';

/** `30 of 59 orders are not listed there any more`. */
export function deletionsInWords(refused: RefusedDeletions, messages: Messages): string {
  const { say, number } = messages;
  const { gone, known } = refused;
  return say('source.not-listed', {
    gone: number(gone),
    known: number(known),
    what: rowsInWords(refused.title, messages),
  });
}

export interface ConfirmDeletionsPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly business: StoreView;
  readonly connection: ConnectionView;
  readonly refused: RefusedDeletions;
  readonly messages: Messages;
}

/** Asks once more, with the number of rows that would be deleted and of those that stay. */
export function confirmDeletionsPage({
  paths,
  account,
  business,
  connection,
  refused,
  messages,
}: ConfirmDeletionsPage): Html {
  const { say, around } = messages;
  const { listing, gone } = refused;
  const { vendor } = connection;
  const what = rowsInWords(refused.title, messages);
  const name = html`<bdi>${plainLine(connection.name, 100)}</bdi>`;
  const store = storeName(business, messages);
  const at = paths.connectionDo(business.business_id, connection.connection_id, 'gone');
  const count = messages.number(gone);
  const body = html`
      <div class="card stack">
        <p>${around('gone.lead', { name, store, vendor, gone: deletionsInWords(refused, messages) })}</p>
        <ul class="cannot">
          <li>${say('gone.most', { count, what })}</li>
          <li>${say('gone.back', { vendor })}</li>
        </ul>
        <ul class="can">
          <li>${say('gone.asked', { vendor })}</li>
          <li>${say('gone.more', { count })}</li>
          <li>${say('gone.stays')}</li>
        </ul>
        <div class="buttons">
          <form method="post" action="${at}">
            <input type="hidden" name="kind" value="${listing}">
            <input type="hidden" name="count" value="${gone}">
            <button class="button danger" type="submit">${say('gone.delete', { count, what })}</button>
          </form>
          <a class="button" href="${paths.connection(business.business_id, connection.connection_id)}">${say('settings.cancel')}</a>
        </div>
      </div>`;
  return layout({ title: say('gone.title', { what }), paths, account, body, messages });
}
