import { html } from 'hono/html';
import type { Reconciliation, RowChanges, SourceReport } from '../../snapshot/report.ts';
import { differenceSentence, removedPersonalData } from '../../snapshot/report-words.ts';
import { nothingIsNew, rowsAllThere } from '../../snapshot/row-changes.ts';
import type { ImportedReport } from '../../snapshot/snapshot-description.ts';
import type { ShownReport } from '../../uploads/outcome.ts';
import { plainLine } from './untrusted-text.ts';
import type { Html } from './views.ts';

const NUMBER = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 4 });

/** What files were recognised as, and what the store says now beside what they say. */
export function importReport(report: ShownReport): Html {
  const { tables, changes = {}, warnings } = report;
  const allThere = rowsAllThere(report);
  return html`
      ${filesAndOrders(report)}
      <section class="card" aria-labelledby="rows">
        <h2 id="rows">Rows</h2>
        ${allThere !== null && html`<p>${nothingIsNew(NUMBER.format(allThere))}.</p>`}
        <dl class="facts">${Object.entries(tables).map(([name, counts]) => html`<div><dt>${capital(rowsInWords(name))}</dt><dd>${tableCounts(counts)}${rowChanges(changes[name])}</dd></div>`)}</dl>
        ${notes([...removedPersonalData(report), ...warnings])}
      </section>`;
}

/** The part of a report that is kept with a snapshot. */
export function filesAndOrders({ sources, reconciliation }: ImportedReport): Html {
  return html`
      <section class="stack" aria-labelledby="recognised">
        <h2 id="recognised">What the files are</h2>
        ${sources.length === 0 && html`<p>Files of Storesight's own format.</p>`}
        ${sources.length > 0 && html`<ul class="cards">${sources.map((source) => html`<li class="card">${recognised(source)}</li>`)}</ul>`}
      </section>
      ${reconciliations(reconciliation)}`;
}

/** Orders and money of the files beside what is stored and what tools answer. */
function reconciliations(all: readonly Reconciliation[]): Html | false {
  return (
    all.length > 0 &&
    html`<section class="stack" aria-labelledby="compared">
        <h2 id="compared">Compared with the files</h2>
        <ul class="cards">${all.map((each) => html`<li class="card">${compared(each)}</li>`)}</ul>
      </section>`
  );
}

/** `order lines`, of the table order_items. */
function rowsInWords(table: string): string {
  const words: Readonly<Record<string, string>> = {
    order_items: 'order lines',
    consent_events: 'consents',
    fx_rates: 'exchange rates',
    sessions: 'visits',
  };
  return words[table] ?? table.replaceAll('_', ' ');
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function recognised({ title, files, rows, tables, columns_ignored, assumptions }: SourceReport): Html {
  return html`<h3>${plainLine(title)}</h3>
          <dl class="facts">
            <div><dt>Files</dt><dd>${files.map((file, index) => html`${index > 0 && ', '}<bdi>${plainLine(file, 200)}</bdi>`)}</dd></div>
            <div><dt>Rows</dt><dd>${NUMBER.format(rows)}</dd></div>
            <div><dt>Columns not read</dt><dd>${NUMBER.format(columns_ignored)}</dd></div>
            <div><dt>Contains</dt><dd>${capital(tables.map(rowsInWords).join(', '))}</dd></div>
          </dl>
          ${assumptions.length > 0 && html`<h4>Good to know</h4>${notes(assumptions)}`}`;
}

function compared({ source, currency, orders, gross, refunds, differences, months }: Reconciliation): Html {
  const money = (amount: number) => `${NUMBER.format(amount)}${currency === null ? '' : ` ${currency}`}`;
  return html`<h3>${plainLine(source)}${currency !== null && `, ${currency}`}</h3>
          <dl class="facts">
            <div><dt>Orders</dt><dd>${NUMBER.format(orders.in_file)} in the files, ${NUMBER.format(orders.stored)} stored, ${NUMBER.format(orders.valid)} counted</dd></div>
            <div><dt>Total</dt><dd>${money(gross.in_file)} in the files, ${money(gross.stored)} stored, ${money(gross.revenue)} counted</dd></div>
            <div><dt>Refunds</dt><dd>${money(refunds.in_file)} in the files, ${money(refunds.stored)} stored</dd></div>
          </dl>
          ${
            differences.length === 0
              ? html`<p>No difference.</p>`
              : html`<h4>Differences</h4>
          <ul>${differences.map((difference) => html`<li>${differenceSentence(difference, currency, NUMBER.format)}</li>`)}</ul>`
          }
          ${
            months.length > 1 &&
            html`<details><summary>By month<span class="visually-hidden"> of ${plainLine(source)} ${currency ?? ''}</span></summary>
          <dl class="facts">${months.map((month) => html`<div><dt>${month.month}</dt><dd>${NUMBER.format(month.orders.in_file)} orders in the files, ${NUMBER.format(month.orders.valid)} counted; ${money(month.gross.in_file)} in the files, ${money(month.gross.revenue)} counted</dd></div>`)}</dl></details>`
          }`;
}

/** `1,234 read, 1,230 loaded`. */
export function tableCounts(counts: ShownReport['tables'][string]): string {
  const { read, ...others } = counts;
  const told = Object.entries(others).filter(([, count]) => count > 0);
  const words = told.map(([what, count]) => `${NUMBER.format(count)} ${what}`);
  return [`${NUMBER.format(read)} read`, ...words].join(', ');
}

/** `; in the store: 12 new, 3 changed`. */
function rowChanges(changes: RowChanges | undefined): string {
  if (changes === undefined) return '';
  const told = Object.entries(changes).filter(([, count]) => count > 0);
  const words = told.map(([what, count]) => `${NUMBER.format(count)} ${what === 'added' ? 'new' : what}`);
  return words.length === 0 ? '' : `; in the store: ${words.join(', ')}`;
}

function notes(texts: readonly string[]): Html | false {
  return texts.length > 0 && html`<ul>${texts.map((text) => html`<li>${plainLine(text, 2000)}</li>`)}</ul>`;
}
