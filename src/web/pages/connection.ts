import { html } from 'hono/html';
import type { Messages } from '../../messages/messages.ts';
import type { PagePaths } from '../paths.ts';
import { businessChoice } from './business-choice.ts';
import { connectionName } from './connections.ts';
import { layout } from './layout.ts';
import type { AccountView, BusinessView, ConnectionView, Html } from './views.ts';

export interface ConnectionPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  /** The connection. Its `businesses` are ticked, or, after an error, those that the form sent. */
  readonly connection: ConnectionView;
  /** All businesses that the account may read. */
  readonly businesses: readonly BusinessView[];
  readonly error: string | null;
  readonly messages: Messages;
}

export function connectionPage(page: ConnectionPage): Html {
  const { paths, account, connection, businesses, error, messages } = page;
  const { say, around } = messages;
  const chosen =
    connection.businesses === 'all' ? 'all' : connection.businesses.map(({ business_id }) => business_id);
  const body = html`
      <p class="lead">${around('apps.reads-chosen', { app: html`<strong>${connectionName(connection, messages)}</strong>` })}</p>
      <form class="stack" method="post" action="${paths.connection(connection.grant_id)}">
        <div class="card">${businessChoice({ businesses, chosen, error, messages })}</div>
        <div class="buttons">
          <button class="button primary" type="submit">${say('settings.save')}</button>
          <a class="button" href="${paths.connections}">${say('settings.cancel')}</a>
        </div>
      </form>`;
  return layout({ title: say('apps.change'), paths, account, error, body, messages });
}
