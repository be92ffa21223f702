import { html } from 'hono/html';
import type { Messages } from '../../messages/messages.ts';
import type { Reconciliation, RowChanges, SourceReport, TableCounts } from '../../snapshot/import-report.ts';
import { differenceSentence, removedPersonalData } from '../../snapshot/report-words.ts';
import { rowsAllThere } from '../../snapshot/row-changes.ts';
import type { ImportedReport } from '../../snapshot/snapshot-description.ts';
import type { ShownReport } from '../../uploads/outcome.ts';
import { quotedLang } from './quoted-sentences.ts';
import { rowsInWords } from './rows-in-words.ts';
import { plainLine } from './untrusted-text.ts';
import type { Html } from './views.ts';

/** Keys of texts with a count, which is already formatted. */
type Counted =
  | 'report.loaded'
  | 'report.deleted'
  | 'report.rejected'
  | 'report.replaced'
  | 'report.ignored'
  | 'report.new'
  | 'report.changed'
  | 'report.unchanged'
  | 'report.removed';

/** What the files were recognised as, and the numbers of the store beside those of the files. */
export function importReport(report: ShownReport, messages: Messages): Html {
  const { say } = messages;
  const { tables, changes = {}, warnings } = report;
  const allThere = rowsAllThere(report);
  return html`
      ${filesAndOrders(report, messages)}
      <section class="card" aria-labelledby="rows">
        <h2 id="rows">${say('report.rows')}</h2>
        ${allThere !== null && html`<p>${say('report.nothing-new', { rows: messages.number(allThere) })}</p>`}
        <dl class="facts">${Object.entries(tables).map(([name, counts]) => html`<div><dt>${capital(rowsInWords(name, messages))}</dt><dd>${tableCounts(counts, messages)}${rowChanges(changes[name], messages)}</dd></div>`)}</dl>
        ${notes([...removedPersonalData(report), ...warnings], messages)}
      </section>`;
}

/** The part of a report that is kept with a snapshot. */
export function filesAndOrders({ sources, reconciliation }: ImportedReport, messages: Messages): Html {
  const { say } = messages;
  return html`
      <section class="stack" aria-labelledby="recognised">
        <h2 id="recognised">${say('report.files-are')}</h2>
        ${sources.length === 0 && html`<p>${say('report.own-format')}</p>`}
        ${sources.length > 0 && html`<ul class="cards">${sources.map((source) => html`<li class="card">${recognised(source, messages)}</li>`)}</ul>`}
      </section>
      ${reconciliations(reconciliation, messages)}`;
}

/** Orders and money of the files beside what is stored and what tools answer. */
function reconciliations(all: readonly Reconciliation[], messages: Messages): Html | false {
  return (
    all.length > 0 &&
    html`<section class="stack" aria-labelledby="compared">
        <h2 id="compared">${messages.say('report.compared')}</h2>
        <ul class="cards">${all.map((each) => html`<li class="card">${compared(each, messages)}</li>`)}</ul>
      </section>`
  );
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function recognised(
  { title, files, rows, tables, columns_ignored, assumptions }: SourceReport,
  messages: Messages,
): Html {
  const { say, number } = messages;
  return html`<h3${quotedLang(messages)}>${plainLine(title)}</h3>
          <dl class="facts">
            <div><dt>${say('report.files')}</dt><dd>${files.map((file, index) => html`${index > 0 && ', '}<bdi>${plainLine(file, 200)}</bdi>`)}</dd></div>
            <div><dt>${say('report.rows')}</dt><dd>${number(rows)}</dd></div>
            <div><dt>${say('report.not-read')}</dt><dd>${number(columns_ignored)}</dd></div>
            <div><dt>${say('report.contains')}</dt><dd>${capital(tables.map((table) => rowsInWords(table, messages)).join(', '))}</dd></div>
          </dl>
          ${assumptions.length > 0 && html`<h4>${say('report.good-to-know')}</h4>${notes(assumptions, messages)}`}`;
}

function compared(
  { source, currency, orders, gross, refunds, differences, months }: Reconciliation,
  messages: Messages,
): Html {
  const { say, number } = messages;
  const money = (amount: number) => `${number(amount)}${currency === null ? '' : ` ${currency}`}`;
  return html`<h3>${plainLine(source)}${currency !== null && `, ${currency}`}</h3>
          <dl class="facts">
            <div><dt>${say('report.orders')}</dt><dd>${say('report.stored-counted', { files: number(orders.in_file), stored: number(orders.stored), counted: number(orders.valid) })}</dd></div>
            <div><dt>${say('report.total')}</dt><dd>${say('report.stored-counted', { files: money(gross.in_file), stored: money(gross.stored), counted: money(gross.revenue) })}</dd></div>
            <div><dt>${say('report.refunds')}</dt><dd>${say('report.stored', { files: money(refunds.in_file), stored: money(refunds.stored) })}</dd></div>
          </dl>
          ${
            differences.length === 0
              ? html`<p>${say('report.no-difference')}</p>`
              : html`<h4>${say('report.differences')}</h4>
          <ul${quotedLang(messages)}>${differences.map((difference) => html`<li>${differenceSentence(difference, currency, number)}</li>`)}</ul>`
          }
          ${
            months.length > 1 &&
            html`<details><summary>${say('report.by-month')}<span class="visually-hidden"> ${say('report.by-month-of', { name: `${plainLine(source)} ${currency ?? ''}` })}</span></summary>
          <dl class="facts">${months.map((month) => html`<div><dt>${month.month}</dt><dd>${say('report.orders-money', { orders: number(month.orders.in_file), valid: number(month.orders.valid), gross: money(month.gross.in_file), revenue: money(month.gross.revenue) })}</dd></div>`)}</dl></details>`
          }`;
}

const COUNTS: Readonly<Record<Exclude<keyof TableCounts, 'read'>, Counted>> = {
  loaded: 'report.loaded',
  deleted: 'report.deleted',
  rejected: 'report.rejected',
  replaced: 'report.replaced',
  ignored: 'report.ignored',
};

const CHANGES: Readonly<Record<keyof RowChanges, Counted>> = {
  added: 'report.new',
  changed: 'report.changed',
  unchanged: 'report.unchanged',
  removed: 'report.removed',
};

/** `1,234 read, 1,230 loaded`. */
export function tableCounts(counts: TableCounts, messages: Messages): string {
  return [
    messages.say('report.read', { count: messages.number(counts.read) }),
    ...countsInWords(counts, COUNTS, messages),
  ].join(', ');
}

/** `; in the store: 12 new, 3 changed`. */
function rowChanges(changes: RowChanges | undefined, messages: Messages): string {
  const words = changes === undefined ? [] : countsInWords(changes, CHANGES, messages);
  return words.length === 0 ? '' : `; ${messages.say('report.in-store', { changes: words.join(', ') })}`;
}

/** The counts above zero in words, in the order in which they are kept. */
function countsInWords<Name extends string>(
  counts: Readonly<Record<Name, number>>,
  words: Readonly<Partial<Record<Name, Counted>>>,
  { say, number }: Messages,
): readonly string[] {
  const said: (key: Counted, count: string) => string = (key, count) => say(key, { count });
  return (Object.keys(counts) as Name[]).flatMap((name) => {
    const word = words[name];
    return word === undefined || counts[name] <= 0 ? [] : [said(word, number(counts[name]))];
  });
}

function notes(texts: readonly string[], messages: Messages): Html | false {
  return (
    texts.length > 0 &&
    html`<ul${quotedLang(messages)}>${texts.map((text) => html`<li>${plainLine(text, 2000)}</li>`)}</ul>`
  );
}
