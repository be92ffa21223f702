import { html } from 'hono/html';
import type { PagePaths } from '../paths.ts';
import { businessChoice } from './business-choice.ts';
import { connectionName } from './connections.ts';
import { layout } from './layout.ts';
import type { AccountView, BusinessView, ConnectionView, Html } from './views.ts';

export interface ConnectionPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  /** The connection. Its `businesses` are ticked; after an error, those that the form sent are. */
  readonly connection: ConnectionView;
  /** All that the account may read. */
  readonly businesses: readonly BusinessView[];
  readonly error: string | null;
}

export function connectionPage({ paths, account, connection, businesses, error }: ConnectionPage): Html {
  const chosen =
    connection.businesses === 'all' ? 'all' : connection.businesses.map(({ business_id }) => business_id);
  const body = html`
      <p class="lead"><strong>${connectionName(connection)}</strong> reads what you choose here from its next question on.</p>
      <form class="stack" method="post" action="${paths.connection(connection.grant_id)}">
        <div class="card">${businessChoice({ businesses, chosen, error })}</div>
        <div class="buttons">
          <button class="button primary" type="submit">Save</button>
          <a class="button" href="${paths.connections}">Cancel</a>
        </div>
      </form>`;
  return layout({ title: 'Change stores', paths, account, error, body });
}
