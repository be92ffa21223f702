import { html } from 'hono/html';
import type { ImportedReport } from '../../snapshot/snapshot-description.ts';
import type { PagePaths } from '../paths.ts';
import { filesAndOrders } from './import-report.ts';
import { layout } from './layout.ts';
import { moment } from './moments.ts';
import { type StoreView, storeName } from './stores.ts';
import type { AccountView, Html } from './views.ts';

export interface ImportView {
  readonly snapshot_id: string;
  readonly created_at: string;
  /** Whether tools answer with it. */
  readonly is_served: boolean;
  /** Whether the account may see numbers of the store. Without, `imported` and `report` are null. */
  readonly is_readable: boolean;
  readonly orders_until: string | null;
  /** Rows that it brought, by table; null where that is not known. */
  readonly imported: Readonly<Record<string, number>> | null;
  /** Null of an import of an earlier version. */
  readonly report: ImportedReport | null;
}

interface PastImportPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly business: StoreView;
  readonly past: ImportView;
}

export function pastImportPage({ paths, account, business, past }: PastImportPage): Html {
  const body = html`
      <p class="lead">Into ${storeName(business)}, at ${moment(past.created_at)}. ${past.is_served ? 'In use.' : 'Not in use.'}</p>
      <section class="card" aria-labelledby="brought">
        <h2 id="brought">What it brought</h2>
        <p>${describeRows(past)}</p>
        ${past.orders_until !== null && html`<p>Orders until ${moment(past.orders_until)}.</p>`}
      </section>
      ${past.report !== null && filesAndOrders(past.report)}
      <div class="buttons">
        <a class="button" href="${paths.store(business.business_id)}">Back to the store</a>
        ${!past.is_served && html`<a class="button danger" href="${paths.goBack(business.business_id, past.snapshot_id)}">Restore this version</a>`}
      </div>`;
  return layout({ title: 'Import', paths, account, body });
}

export interface GoBackPage extends PastImportPage {
  readonly error: string | null;
}

export function goBackPage({ paths, account, business, past, error }: GoBackPage): Html {
  const body = html`
      <form class="card stack" method="post" action="${paths.goBack(business.business_id, past.snapshot_id)}">
        <p>All numbers of ${storeName(business)} will be as they were after the import of ${moment(past.created_at)}: ${describeRows(past)}. Its time zone and currency come back too.</p>
        <p>The next import builds on it. What came later is kept until then: you can go forward again before you publish something. Sources of the store are read from their beginning once more, so that nothing is missing which they brought since: pause those whose rows you do not want.</p>
        <div class="buttons">
          <button class="button danger" type="submit">Restore it</button>
          <a class="button" href="${paths.store(business.business_id)}">Cancel</a>
        </div>
      </form>`;
  return layout({ title: 'Restore this version?', paths, account, error, body });
}

/** `1,200 orders, 30 products`. */
export function describeRows({
  imported,
  is_readable,
}: Pick<ImportView, 'imported' | 'is_readable'>): string {
  if (!is_readable) return 'your account may not see the numbers of this store';
  if (imported === null) return 'not known of this one';
  const counts = Object.entries(imported).filter(([, rows]) => rows > 0);
  if (counts.length === 0) return 'no rows: settings of the store, or its beginning';
  return counts
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 5)
    .map(([table, rows]) => `${rows.toLocaleString('en-GB')} ${table.replaceAll('_', ' ')}`)
    .join(', ');
}
