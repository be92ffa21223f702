import { html } from 'hono/html';
import type { Upload } from '../../control/businesses/uploads.ts';
import type { PlainKey } from '../../messages/catalogue.ts';
import type { Messages } from '../../messages/messages.ts';
import {
  FIELDS,
  fieldLabel,
  KINDS,
  type Kind,
  type MappingChoices,
  openQuestions,
} from '../../sources/mapping/chosen-columns.ts';
import type { TableToMap } from '../../sources/mapping/table-to-map.ts';
import type { PagePaths } from '../paths.ts';
import { layout, type PageText } from './layout.ts';
import { quoted, quotedLang } from './quoted-sentences.ts';
import { type StoreView, storeName } from './stores.ts';
import { plainLine } from './untrusted-text.ts';
import type { AccountView, Html } from './views.ts';

export interface MapTablePage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly business: StoreView;
  readonly upload: Upload;
  readonly table: TableToMap;
  /** The choices that the form shows. */
  readonly choices: MappingChoices;
  /** Whether these are unfinished choices that were kept. */
  readonly isDraft: boolean;
  readonly error: PageText | null;
  readonly messages: Messages;
}

/** Columns of an uploaded table, each with a list of what it may be. */
export function mapTablePage(page: MapTablePage): Html {
  const { paths, account, business, upload, table, choices, isDraft, error, messages } = page;
  const { say, around } = messages;
  const file = html`<bdi>${plainLine(table.file, 200)}</bdi>`;
  const place = paths.upload(business.business_id, upload.upload_id);
  return layout({
    title: say('map.title'),
    paths,
    account,
    error,
    messages,
    body: html`
      <p class="lead">${around('map.lead', { file, store: storeName(business, messages) })}</p>
      ${rows(table, messages)}
      ${isDraft && error === null && html`<p class="message" role="status">${say('map.draft')}</p>`}
      <form class="stack" method="post" action="${paths.uploadDo(business.business_id, upload.upload_id, 'map')}">
        <input type="hidden" name="table" value="${table.fingerprint}">
        <section class="card stack">
          <div class="field">
            <label for="kind">${say('map.holds')}</label>
            <select id="kind" name="kind" aria-describedby="kind-hint">${KINDS.map((kind) => option(kind, say(KIND_WORDS[kind]), kind === choices.kind))}</select>
            <p class="hint" id="kind-hint">${table.kind === null ? say('map.unknown-kind') : say('map.seems', { kind: say(KIND_WORDS[table.kind]) })}</p>
          </div>
          <div class="buttons"><button class="button" type="submit" name="show" value="lists">${say('map.show-lists')}</button></div>
        </section>
        <section class="stack" aria-labelledby="columns">
          <h2 id="columns">${say('map.columns')}</h2>
          <ul class="cards">${table.columns.map((_, index) => html`<li class="card field">${column(page, index)}</li>`)}</ul>
          ${table.more > 0 && html`<p class="hint">${say('map.more', { count: table.more })}</p>`}
        </section>
        ${signs(table, choices, messages)}
        <div class="buttons">
          <button class="button primary" type="submit">${say('map.try')}</button>
          <button class="button" type="submit" name="keep" value="choices">${say('map.keep')}</button>
          ${isDraft && html`<button class="button" type="submit" name="forget" value="choices">${say('map.anew')}</button>`}
          <a class="button" href="${place}">${say('map.back')}</a>
        </div>
      </form>`,
  });
}

const KIND_WORDS: Readonly<Record<Kind, PlainKey>> = {
  orders: 'map.kind-orders',
  order_items: 'map.kind-lines',
  products: 'map.kind-products',
  profiles: 'map.kind-customers',
  refunds: 'map.kind-refunds',
};

function rows({ columns }: TableToMap, { say }: Messages): Html | false {
  const filled = columns.reduce((most, each) => Math.max(most, each.filled), 0);
  return filled === 0 && html`<p class="message warning" role="status">${say('map.no-rows')}</p>`;
}

/** @param lang of a label that is not in the language of the page */
function option(value: string, label: string, isChosen: boolean, lang: Html | false = false): Html {
  return html`<option value="${value}"${lang}${isChosen && html` selected`}>${label}</option>`;
}

function column({ table, choices, messages }: MapTablePage, index: number): Html {
  const { say, around } = messages;
  const lang = quotedLang(messages);
  const { title = '', looks = 'empty', first = [], filled = 0 } = table.columns[index] ?? {};
  const chosen = choices.fields[index] ?? '';
  const shown = plainLine(title, 100);
  const cells = first.filter((cell) => cell !== '');
  const kind = say(LOOKS[looks]);
  const rowsOf = html`${cells.map((cell, at) => html`${at > 0 && ' · '}<bdi>${plainLine(cell, 60)}</bdi>`)}`;
  return html`<label for="column-${index}">${shown === '' ? say('map.untitled', { number: index + 1 }) : html`<bdi>${shown}</bdi>`}</label>
            <p class="hint" id="column-${index}-hint">${looks === 'empty' ? `${kind}.` : say('map.filled', { looks: kind, count: filled })}${cells.length > 0 && html` ${around('map.first-rows', { cells: rowsOf })}`} ${proposalWords(table, choices.kind, index, messages)}</p>
            <select id="column-${index}" name="field" aria-describedby="column-${index}-hint">
              ${option('', say('map.not-read'), chosen === '')}
              ${FIELDS[choices.kind].map((field) => option(field, fieldLabel(field), field === chosen, lang))}
            </select>`;
}

const LOOKS: Readonly<Record<TableToMap['columns'][number]['looks'], PlainKey>> = {
  empty: 'map.empty',
  number: 'map.numbers',
  'decimal comma': 'map.comma-numbers',
  'decimal point': 'map.point-numbers',
  date: 'map.dates',
  'e-mail': 'map.emails',
  text: 'map.texts',
};

function proposalWords({ proposed }: TableToMap, kind: Kind, index: number, messages: Messages): Html {
  const { field = '', confidence = 'low', why = '' } = proposed[kind][index] ?? {};
  if (field === '') return html`${messages.say('map.nothing-proposed')}`;
  return html`${messages.say(CONFIDENCE[confidence])} ${quoted(`${fieldLabel(field)}, by ${why}`, messages)}.`;
}

const CONFIDENCE = {
  high: 'map.sure',
  medium: 'map.likely',
  low: 'map.guess',
} as const;

/** Questions about what cells do not tell, asked if the table has a column of that kind. */
function signs({ columns, prices }: TableToMap, choices: MappingChoices, messages: Messages): Html | false {
  const { say } = messages;
  const asks = openQuestions(columns, choices);
  const mayBeDates = asks.dates || columns.some(({ isEitherOrder }) => isEitherOrder);
  const mayBeNumbers = asks.decimal || columns.some(({ looks, hasDigits }) => looks === 'text' && hasDigits);
  const mayBeReduced = choices.kind.startsWith('order');
  if (!mayBeDates && !mayBeNumbers && !mayBeReduced && !asks.fillsDown) return false;
  return html`<section class="card stack" aria-labelledby="signs">
          <h2 id="signs">${say('map.not-told')}</h2>
          ${
            mayBeDates &&
            html`<div class="field">
            <label for="dates">${say('map.dates-such')}</label>
            <select id="dates" name="dates">${option('', say('upload.choose'), choices.dates === null)}${option('dmy', say('map.april'), choices.dates === 'dmy')}${option('mdy', say('map.march'), choices.dates === 'mdy')}</select>
          </div>`
          }
          ${
            mayBeNumbers &&
            html`<div class="field">
            <label for="decimal">${say('map.amounts-such')}</label>
            <select id="decimal" name="decimal">${option('', say('map.choose-amount'), choices.decimal === null)}${option('comma', say('map.comma'), choices.decimal === 'comma')}${option('point', say('map.point'), choices.decimal === 'point')}</select>
          </div>`
          }
          ${
            mayBeReduced &&
            html`<div class="field">
            <label for="prices">${say('map.prices')}</label>
            <select id="prices" name="prices" aria-describedby="prices-hint">${option('', say('map.choose-discount'), (choices.prices ?? null) === null)}${option('after', say('map.after'), choices.prices === 'after')}${option('before', say('map.before'), choices.prices === 'before')}</select>
            <p class="hint" id="prices-hint">${prices ? quoted(`Of the first rows: ${prices.why}.`, messages) : say('map.sums-silent')}</p>
          </div>`
          }
          ${
            asks.fillsDown &&
            html`<label class="choice"><input type="checkbox" name="fills_down" value="yes"${choices.fillsDown && html` checked`}><span>${say('map.fill-down')}</span></label>`
          }
        </section>`;
}
