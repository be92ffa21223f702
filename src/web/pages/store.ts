import { html, raw } from 'hono/html';
import type { LoadedSource } from '../../business/snapshot-facts.ts';
import { tablesHtml } from '../../charts/figure-table.ts';
import type { Upload, UploadFile } from '../../control/businesses/uploads.ts';
import type { PlainKey } from '../../messages/catalogue.ts';
import type { Messages } from '../../messages/messages.ts';
import type { SalesFigure } from '../../overview/sales-figure.ts';
import type { UploadLimits } from '../../uploads/upload-limits.ts';
import type { PagePaths } from '../paths.ts';
import type { ConnectionView } from './connection-views.ts';
import { oldDataWarning } from './data-age.ts';
import { describeRows, type ImportView } from './history.ts';
import { layout } from './layout.ts';
import { moment } from './moments.ts';
import { pictures } from './pictures.ts';
import { quotedSentences } from './quoted-sentences.ts';
import { steps } from './steps.ts';
import { storeTabs } from './store-tabs.ts';
import type { StoreView } from './stores.ts';
import { plainLine } from './untrusted-text.ts';
import { filesForm } from './upload.ts';
import type { AccountView, Html } from './views.ts';

type OpenUpload = Pick<Upload, 'upload_id' | 'state' | 'work' | 'created_at'> & {
  readonly files: readonly UploadFile[];
};

export interface StorePage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly business: StoreView;
  /** The moment until which each kind of data is loaded; null if nothing is. */
  readonly loaded: readonly { readonly kind: LoadedSource; readonly until: string | null }[];
  /** When the served data were imported; null before the first import. */
  readonly imported_at: string | null;
  /** Uploads of the store that are not published yet. */
  readonly uploads: readonly OpenUpload[];
  /** The kept imports, newest first. */
  readonly imports: readonly ImportView[];
  /** The connections of the store. */
  readonly connections: readonly ConnectionView[];
  readonly limits: UploadLimits;
  readonly sales: SalesView;
  readonly notice: string | null;
  readonly messages: Messages;
}

/** The sales, or why there is nothing to show. */
type SalesView = SalesFigure | { readonly why: string };

export function storePage(page: StorePage): Html {
  const { paths, account, business, loaded, imported_at, uploads, imports, limits, notice, messages } = page;
  const { business_id, timezone, primary_currency } = business;
  const { say, around } = messages;
  const known = loaded.filter(({ until }) => until !== null);
  const form = filesForm(paths.uploads(business_id), limits, messages);
  const body = html`
      ${storeTabs(paths, business_id, { current: 'data', messages })}
      ${openUploadsSection(page)}
      ${
        known.length === 0
          ? steps(uploads.some(({ work }) => work !== 'settings') ? 2 : 1, form, messages)
          : html`${oldDataWarning(known.find(({ kind }) => kind === 'orders')?.until ?? null, timezone, messages)}
      <p class="lead">${say('store.lead', { timezone: timezone ?? 'UTC', currency: primary_currency ?? say('store.no-currency') })}</p>
      <section class="card" aria-labelledby="loaded">
        <h2 id="loaded">${say('store.loaded')}</h2>
        <p>${say('store.loaded-lead')}</p>
        <dl class="facts">
          ${known.map(({ kind, until }) => html`<div><dt>${say(LOADED[kind])}</dt><dd>${around('store.until', { moment: moment(until ?? '', messages, timezone) })}</dd></div>`)}
          ${imported_at !== null && html`<div><dt>${say('store.updated')}</dt><dd>${moment(imported_at, messages, timezone)}</dd></div>`}
        </dl>
      </section>
      ${salesSection(page)}
      <section class="card" aria-labelledby="bring">
        <h2 id="bring">${say('store.add-data')}</h2>
        <p>${say('store.add-lead')}</p>
        ${form}
      </section>`
      }
      ${known.length === 0 && uploads.length === 0 ? html`<p><a class="button" href="${paths.connections(business_id)}">${say('store.connect')}</a></p>` : connectionsSection(page)}
      ${
        imports.length > 0 &&
        known.length > 0 &&
        html`<section class="stack" aria-labelledby="history">
        <h2 id="history">${say('store.versions')}</h2>
        <p class="lead">${say('store.versions-lead')}</p>
        <ul class="cards">${imports.map((past) => html`<li class="card">${pastImport(page, past)}</li>`)}</ul>
      </section>`
      }`;
  return layout({ title: plainLine(business.name, 100), paths, account, notice, body, messages });
}

const LOADED: Readonly<Record<LoadedSource, PlainKey>> = {
  orders: 'store.orders',
  sessions: 'store.sessions',
  messages: 'store.messages',
  popups: 'store.popups',
  consents: 'store.consents',
  list_events: 'store.list-events',
};

function openUploadsSection({ paths, business, uploads, messages }: StorePage): Html | false {
  return (
    uploads.length > 0 &&
    html`<section class="card" aria-labelledby="open-uploads">
        <h2 id="open-uploads">${messages.say('store.not-published')}</h2>
        <ul class="names">${uploads.map((upload) => html`<li><a class="button" href="${paths.upload(business.business_id, upload.upload_id)}">${describeUpload(upload, messages)}</a> <span class="detail">${moment(upload.created_at, messages, business.timezone)}</span></li>`)}</ul>
      </section>`
  );
}

function connectionsSection({ paths, business, connections, messages }: StorePage): Html {
  const { say, around } = messages;
  return html`<section class="card" aria-labelledby="sources">
        <h2 id="sources">${say('store.sources')}</h2>
        ${
          connections.length === 0
            ? html`<p>${say('store.connect-lead')}</p>`
            : html`<dl class="facts">${connections.map((connection) => html`<div><dt><bdi>${plainLine(connection.name, 100)}</bdi></dt><dd>${connection.isStuck ? html`<strong>${say(connection.state)}</strong>` : say(connection.state)}${connection.loaded_until !== null && html`, ${around('store.loaded-until', { moment: moment(connection.loaded_until, messages, business.timezone) })}`}</dd></div>`)}</dl>`
        }
        <p><a class="button" href="${paths.connections(business.business_id)}">${say(connections.length === 0 ? 'store.connect-source' : 'store.open-sources')}</a></p>
      </section>`;
}

/** Drawn on the server: the page has no script. The picture and the tables are made of escaped texts. */
function salesSection({ sales, messages }: StorePage): Html {
  const { say } = messages;
  return html`<section class="card" aria-labelledby="sales">
        <h2 id="sales">${say('store.sales')}</h2>
        ${
          'why' in sales
            ? html`<p>${sales.why}</p>`
            : html`<p>${say('store.sales-lead')}</p>
        <div>${pictures(sales.figure, 'sales', 'wide')}</div>
        ${quotedSentences(sales.notes, messages, 'detail')}
        <details><summary>${say('store.as-table')}</summary><div class="wide-table" tabindex="0" role="region" aria-label="${say('store.sales-table')}">${raw(tablesHtml(sales.figure))}</div></details>`
        }
      </section>`;
}

const NAMED_FILES = 3;

/** Names an upload by its files, which people know. */
function describeUpload({ state, work, files }: OpenUpload, { say, around }: Messages): Html {
  if (work === 'settings')
    return html`${say(state === 'open' ? 'store.settings-failed' : 'store.settings-saving')}`;
  const more = files.length - NAMED_FILES;
  const names = files.slice(0, NAMED_FILES).map(({ name }) => plainLine(name, 60));
  const shown = html`<bdi>${names.length === 0 ? say('store.no-files') : names.join(', ')}</bdi>${more > 0 && ` ${say('store.and-more', { count: more })}`}`;
  return html`${around(state === 'open' ? 'store.continue' : 'store.how-far', { files: shown })}`;
}

function pastImport(
  { paths, business: { business_id, timezone }, messages }: StorePage,
  past: ImportView,
): Html {
  const { say, around, number } = messages;
  const { snapshot_id, created_at, is_served, report } = past;
  const at = moment(created_at, messages, timezone);
  const of = html`<span class="visually-hidden"> ${around('store.of', { moment: at })}</span>`;
  return html`
          <h3>${at}${is_served && ` ${say('store.in-use')}`}</h3>
          <p>${past.imported === null ? describeRows(past, messages) : say('store.version-added', { rows: describeRows(past, messages) })}</p>
          ${report?.reconciliation.map(({ source, currency, orders, gross }) => html`<p class="detail">${plainLine(source, 100)}: ${say('report.orders-money', { orders: number(orders.in_file), valid: number(orders.valid), gross: number(gross.in_file), revenue: number(gross.revenue) })}${currency !== null && ` (${currency})`}</p>`)}
          <div class="buttons">
            <a class="button" href="${paths.pastImport(business_id, snapshot_id)}">${say('store.report')}${of}</a>
            ${!is_served && html`<a class="button danger" href="${paths.goBack(business_id, snapshot_id)}">${say('store.restore')}${of}</a>`}
          </div>`;
}
