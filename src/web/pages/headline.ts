import { html } from 'hono/html';
import type { Messages } from '../../messages/messages.ts';
import type { Reconciliation } from '../../snapshot/import-report.ts';
import { differenceSentence } from '../../snapshot/report-words.ts';
import { rowsAllThere } from '../../snapshot/row-changes.ts';
import type { ShownReport } from '../../uploads/outcome.ts';
import { plainLine } from './untrusted-text.ts';
import type { Html } from './views.ts';

/** The names that merchants know the systems by. */
const SHOPS: Readonly<Record<string, string>> = {
  shopify: 'Shopify',
  shoptet: 'Shoptet',
  woocommerce: 'WooCommerce',
};

/** “81 orders, $3,305.78, May 2020 – April 2022. Does this match Shopify?”: counted as tools will count. */
export function headline(report: ShownReport, messages: Messages): Html {
  const { say } = messages;
  const allThere = rowsAllThere(report);
  if (allThere !== null) return html`${say('report.nothing-new', { rows: messages.number(allThere) })}`;
  const all = report.reconciliation.filter(({ orders }) => orders.stored > 0);
  if (all.length === 0) {
    const rows = Object.values(report.tables).reduce((sum, { loaded }) => sum + loaded, 0);
    return html`${say('upload.headline-other', { what: say('upload.rows', { count: rows }) })}`;
  }
  const parts = all.map(({ orders, gross, currency }) => [
    say('upload.orders', { count: orders.valid }),
    moneyOf(gross.revenue, currency, messages),
  ]);
  const what = [...parts.flat(), monthsOf(all, messages)].filter((text) => text !== '').join(', ');
  const systems = [
    ...new Set(
      report.sources
        .filter(({ makes_orders }) => makes_orders)
        .map(({ source }) => SHOPS[source.split('-')[0] ?? '']),
    ),
  ];
  const shop = systems.length === 1 ? systems[0] : undefined;
  return html`${say('upload.headline', { what, shop: shop ?? say('upload.your-shop') })}`;
}

/** Tells people whose shop shows another number what the amount counts, and what to do. */
export function whatIfNot(report: ShownReport, { say }: Messages): Html | false {
  if (rowsAllThere(report) !== null || report.reconciliation.every(({ orders }) => orders.stored === 0))
    return false;
  return html`<details><summary>${say('upload.mismatch')}</summary>
          <ul>
            <li>${say('upload.what-amount')}</li>
            ${report.sources.some(({ source }) => source.startsWith('shopify-')) && html`<li>${say('upload.shopify-total')}</li>`}
            <li>${say('upload.compare-months')}</li>
            <li>${say('upload.mend-total')}</li>
          </ul>
        </details>`;
}

/** What else the files have and tools do not count, so that nobody looks for it. */
export function notCounted({ reconciliation }: ShownReport, messages: Messages): Html | false {
  const all = reconciliation.filter(
    ({ orders, gross }) => orders.in_file !== orders.valid || gross.in_file !== gross.revenue,
  );
  return (
    all.length > 0 &&
    html`${all.map(
      ({ orders, gross, currency, differences }) => html`<p class="detail">${messages.say(
        'upload.not-counted',
        {
          orders: messages.say('upload.orders', { count: orders.in_file }),
          money: moneyOf(gross.in_file, currency, messages),
        },
      )}</p>
        <ul class="detail" lang="en">${differences
          .filter(({ is_counted }) => !is_counted)
          .map(
            (difference) =>
              html`<li>${plainLine(differenceSentence(difference, currency, messages.number), 300)}</li>`,
          )}</ul>`,
    )}`
  );
}

function moneyOf(amount: number, currency: string | null, messages: Messages): string {
  if (currency === null || !/^[A-Z]{3}$/.test(currency)) return messages.number(amount);
  return new Intl.NumberFormat(messages.locale, { style: 'currency', currency }).format(amount);
}

/** “May 2020 – April 2022” */
function monthsOf(all: readonly Reconciliation[], { locale }: Messages): string {
  const months = all
    .flatMap((each) => each.months)
    .filter(({ orders }) => orders.valid > 0)
    .map(({ month }) => month)
    .sort();
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return '';
  const format = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return format.formatRange(new Date(`${first}-01`), new Date(`${last}-01`));
}
