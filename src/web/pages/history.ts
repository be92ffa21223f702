import { html } from 'hono/html';
import type { Messages } from '../../messages/messages.ts';
import type { ImportedReport } from '../../snapshot/snapshot-description.ts';
import type { PagePaths } from '../paths.ts';
import { filesAndOrders } from './import-report.ts';
import { layout, type PageText } from './layout.ts';
import { moment } from './moments.ts';
import { rowsInWords } from './rows-in-words.ts';
import { type StoreView, storeName } from './stores.ts';
import type { AccountView, Html } from './views.ts';

export interface ImportView {
  readonly snapshot_id: string;
  readonly created_at: string;
  /** Whether tools answer with this import. */
  readonly is_served: boolean;
  /** Whether the account may see numbers of the store. If not, `imported` and `report` are null. */
  readonly is_readable: boolean;
  readonly orders_until: string | null;
  /** The rows that it imported, by table; null if not known. */
  readonly imported: Readonly<Record<string, number>> | null;
  /** Null for an import of an earlier version. */
  readonly report: ImportedReport | null;
}

interface PastImportPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly business: StoreView;
  readonly past: ImportView;
  readonly messages: Messages;
}

export function pastImportPage({ paths, account, business, past, messages }: PastImportPage): Html {
  const { say, around } = messages;
  const of = {
    store: storeName(business, messages),
    moment: moment(past.created_at, messages, business.timezone),
  };
  const body = html`
      <p class="lead">${around('version.of', of)} ${say(past.is_served ? 'version.in-use' : 'version.not-in-use')}</p>
      <section class="card" aria-labelledby="brought">
        <h2 id="brought">${say('version.brought')}</h2>
        <p>${describeRows(past, messages)}</p>
        ${past.orders_until !== null && html`<p>${around('version.orders-until', { moment: moment(past.orders_until, messages, business.timezone) })}</p>`}
      </section>
      ${past.report !== null && filesAndOrders(past.report, messages)}
      <div class="buttons">
        <a class="button" href="${paths.store(business.business_id)}">${say('upload.back')}</a>
        ${!past.is_served && html`<a class="button danger" href="${paths.goBack(business.business_id, past.snapshot_id)}">${say('store.restore')}</a>`}
      </div>`;
  return layout({ title: say('version.title'), paths, account, body, messages });
}

export interface GoBackPage extends PastImportPage {
  readonly error: PageText | null;
}

export function goBackPage({ paths, account, business, past, error, messages }: GoBackPage): Html {
  const { say, around } = messages;
  const store = storeName(business, messages);
  const at = moment(past.created_at, messages, business.timezone);
  const body = html`
      <form class="card stack" method="post" action="${paths.goBack(business.business_id, past.snapshot_id)}">
        <p>${around('version.restore-text', { store, moment: at, rows: describeRows(past, messages) })}</p>
        <p>${say('version.restore-next')}</p>
        <div class="buttons">
          <button class="button danger" type="submit">${say('version.restore')}</button>
          <a class="button" href="${paths.store(business.business_id)}">${say('settings.cancel')}</a>
        </div>
      </form>`;
  return layout({ title: say('version.restore-title'), paths, account, error, body, messages });
}

/** What merchants know the number of from their shop, so that they can compare it. */
const FIRST_ROWS = ['orders', 'customers', 'profiles', 'products', 'refunds'];

function placeOf(table: string): number {
  const place = FIRST_ROWS.indexOf(table);
  return place < 0 ? FIRST_ROWS.length : place;
}

/** `1,200 orders, 30 products`. */
export function describeRows(
  { imported, is_readable }: Pick<ImportView, 'imported' | 'is_readable'>,
  messages: Messages,
): string {
  const { say, number } = messages;
  if (!is_readable) return say('version.not-reader');
  if (imported === null) return say('version.unknown');
  const counts = Object.entries(imported).filter(([, rows]) => rows > 0);
  if (counts.length === 0) return say('version.no-rows');
  return counts
    .toSorted(([table, one], [otherTable, other]) => placeOf(table) - placeOf(otherTable) || other - one)
    .slice(0, 6)
    .map(([table, rows]) => `${number(rows)} ${rowsInWords(table, messages)}`)
    .join(', ');
}
