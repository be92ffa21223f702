import { html } from 'hono/html';
import type { Upload } from '../../control/uploads.ts';
import { ENGLISH } from '../../messages/messages.ts';
import {
  FIELDS,
  fieldLabel,
  KINDS,
  type Kind,
  type MappingChoices,
  openQuestions,
} from '../../sources/mapping/chosen-columns.ts';
import type { TableToMap } from '../../sources/mapping/table-to-map.ts';
import { counted } from '../../text/counted.ts';
import type { PagePaths } from '../paths.ts';
import { layout } from './layout.ts';
import { type StoreView, storeName } from './stores.ts';
import { plainLine } from './untrusted-text.ts';
import type { AccountView, Html } from './views.ts';

export interface MapTablePage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly business: StoreView;
  readonly upload: Upload;
  readonly table: TableToMap;
  /** What the form shows as chosen. */
  readonly choices: MappingChoices;
  /** Whether they are unfinished ones that were kept. */
  readonly isDraft: boolean;
  readonly error: string | null;
}

/** Columns of an uploaded table, each with a list of what it may be. */
export function mapTablePage(page: MapTablePage): Html {
  const { paths, account, business, upload, table, choices, isDraft, error } = page;
  const place = paths.upload(business.business_id, upload.upload_id);
  return layout({
    title: 'Map this table',
    paths,
    account,
    error,
    body: html`
      <p class="lead"><bdi>${plainLine(table.file, 200)}</bdi>, for ${storeName(business, ENGLISH)}. Say what its columns are. Nothing changes in the store: next you see a trial, with orders and money beside what the file says.</p>
      ${rows(table)}
      ${isDraft && error === null && html`<p class="message" role="status">These are your choices that you have not tried yet. They are kept for 30 days, for every file with these columns.</p>`}
      <form class="stack" method="post" action="${paths.uploadDo(business.business_id, upload.upload_id, 'map')}">
        <input type="hidden" name="table" value="${table.fingerprint}">
        <section class="card stack">
          <div class="field">
            <label for="kind">What the table holds</label>
            <select id="kind" name="kind" aria-describedby="kind-hint">${KINDS.map((kind) => option(kind, KIND_WORDS[kind], kind === choices.kind))}</select>
            <p class="hint" id="kind-hint">${table.kind === null ? 'Its titles do not tell what it holds.' : `It seems to hold: ${KIND_WORDS[table.kind]}.`} Another choice has other lists below.</p>
          </div>
          <div class="buttons"><button class="button" type="submit" name="show" value="lists">Show the lists of this choice</button></div>
        </section>
        <section class="stack" aria-labelledby="columns">
          <h2 id="columns">Columns</h2>
          <ul class="cards">${table.columns.map((_, index) => html`<li class="card field">${column(page, index)}</li>`)}</ul>
          ${table.more > 0 && html`<p class="hint">${counted(table.more, 'column more is', 'columns more are')} not shown here, and not read.</p>`}
        </section>
        ${signs(table, choices)}
        <div class="buttons">
          <button class="button primary" type="submit">Try it</button>
          <button class="button" type="submit" name="keep" value="choices">Keep these choices, and go back to the files</button>
          ${isDraft && html`<button class="button" type="submit" name="forget" value="choices">Begin anew with what is proposed</button>`}
          <a class="button" href="${place}">Back without them</a>
        </div>
      </form>`,
  });
}

const KIND_WORDS: Readonly<Record<Kind, string>> = {
  orders: 'orders, one row for each order or for each of its lines',
  order_items: 'lines of orders that stand in another file',
  products: 'products',
  profiles: 'customers',
  refunds: 'refunds',
};

function rows({ columns }: TableToMap): Html | false {
  const filled = columns.reduce((most, each) => Math.max(most, each.filled), 0);
  return (
    filled === 0 &&
    html`<p class="message warning" role="status">The table has titles and no rows, so nothing of it can be tried.</p>`
  );
}

function option(value: string, label: string, isChosen: boolean): Html {
  return html`<option value="${value}"${isChosen && html` selected`}>${label}</option>`;
}

function column({ table, choices }: MapTablePage, index: number): Html {
  const { title = '', looks = 'empty', first = [], filled = 0 } = table.columns[index] ?? {};
  const chosen = choices.fields[index] ?? '';
  const shown = plainLine(title, 100);
  const cells = first.filter((cell) => cell !== '');
  return html`<label for="column-${index}">${shown === '' ? `Column ${index + 1}, without a title` : html`<bdi>${shown}</bdi>`}</label>
            <p class="hint" id="column-${index}-hint">${LOOKS[looks]}${looks !== 'empty' && `, ${counted(filled, 'cell', 'cells')} filled`}.${cells.length > 0 && html` First rows: ${cells.map((cell, at) => html`${at > 0 && ' · '}<bdi>${plainLine(cell, 60)}</bdi>`)}.`} ${proposalWords(table, choices.kind, index)}</p>
            <select id="column-${index}" name="field" aria-describedby="column-${index}-hint">
              ${option('', 'Not read', chosen === '')}
              ${FIELDS[choices.kind].map((field) => option(field, fieldLabel(field), field === chosen))}
            </select>`;
}

const LOOKS: Readonly<Record<TableToMap['columns'][number]['looks'], string>> = {
  empty: 'Empty',
  number: 'Numbers',
  'decimal comma': 'Numbers with a decimal comma',
  'decimal point': 'Numbers with a decimal point',
  date: 'Dates',
  'e-mail': 'E-mail addresses',
  text: 'Texts',
};

function proposalWords({ proposed }: TableToMap, kind: Kind, index: number): string {
  const { field = '', confidence = 'low', why = '' } = proposed[kind][index] ?? {};
  return field === ''
    ? 'Nothing is proposed.'
    : `${CONFIDENCE[confidence]}: ${fieldLabel(field)}, by ${why}.`;
}

const CONFIDENCE = {
  high: 'Nearly sure',
  medium: 'Likely',
  low: 'A guess, look at it',
} as const;

/** What cells do not tell, asked where a column of that kind is in the table. */
function signs({ columns, prices }: TableToMap, choices: MappingChoices): Html | false {
  const asks = openQuestions(columns, choices);
  const mayBeDates = asks.dates || columns.some(({ isEitherOrder }) => isEitherOrder);
  const mayBeNumbers = asks.decimal || columns.some(({ looks, hasDigits }) => looks === 'text' && hasDigits);
  const mayBeReduced = choices.kind.startsWith('order');
  if (!mayBeDates && !mayBeNumbers && !mayBeReduced && !asks.fillsDown) return false;
  return html`<section class="card stack" aria-labelledby="signs">
          <h2 id="signs">What the cells do not tell</h2>
          ${
            mayBeDates &&
            html`<div class="field">
            <label for="dates">Dates such as 3/4/2026</label>
            <select id="dates" name="dates">${option('', 'Choose …', choices.dates === null)}${option('dmy', 'the 3rd of April', choices.dates === 'dmy')}${option('mdy', 'the 4th of March', choices.dates === 'mdy')}</select>
          </div>`
          }
          ${
            mayBeNumbers &&
            html`<div class="field">
            <label for="decimal">Amounts such as 1.234 or $1,234</label>
            <select id="decimal" name="decimal">${option('', 'Choose, if a column of texts is an amount …', choices.decimal === null)}${option('comma', 'a comma parts the decimals: 1.234,50', choices.decimal === 'comma')}${option('point', 'a point parts the decimals: 1,234.50', choices.decimal === 'point')}</select>
          </div>`
          }
          ${
            mayBeReduced &&
            html`<div class="field">
            <label for="prices">Prices of lines, where a column is a discount</label>
            <select id="prices" name="prices" aria-describedby="prices-hint">${option('', 'Choose, if a column is a discount …', (choices.prices ?? null) === null)}${option('after', 'are what was paid: the discount is taken off already', choices.prices === 'after')}${option('before', 'are before the discount, which is taken off', choices.prices === 'before')}</select>
            <p class="hint" id="prices-hint">${prices ? `Of the first rows: ${prices.why}.` : 'The sums of the orders do not tell it.'}</p>
          </div>`
          }
          ${
            asks.fillsDown &&
            html`<label class="choice"><input type="checkbox" name="fills_down" value="yes"${choices.fillsDown && html` checked`}><span>Rows without a number of an order belong to the order above them</span></label>`
          }
        </section>`;
}
