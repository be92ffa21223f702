import { html, raw } from 'hono/html';
import type { NotedFigure } from '../../charts/figure.ts';
import { tablesHtml } from '../../charts/table.ts';
import type { Upload, UploadFile } from '../../control/uploads.ts';
import type { Messages } from '../../messages/messages.ts';
import type { UploadLimits } from '../../uploads/upload-limits.ts';
import type { PagePaths } from '../paths.ts';
import { describeRows, type ImportView } from './history.ts';
import { layout } from './layout.ts';
import { moment } from './moments.ts';
import { pictures } from './pictures.ts';
import type { SourceView } from './source-views.ts';
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
  /** The moment until which each kind of data is loaded. It is null where there is none. */
  readonly loaded: readonly { readonly name: string; readonly until: string | null }[];
  /** When what is served was made. It is null before the first time. */
  readonly imported_at: string | null;
  /** Uploads of the store that are not published yet. */
  readonly uploads: readonly OpenUpload[];
  /** The imports that are kept, newest first. */
  readonly imports: readonly ImportView[];
  /** What it is connected to. */
  readonly sources: readonly SourceView[];
  readonly limits: UploadLimits;
  readonly sales: SalesView;
  readonly notice: string | null;
  readonly messages: Messages;
}

/** What there is to see of the sales, or why there is nothing. */
type SalesView = NotedFigure | { readonly why: string };

export function storePage(page: StorePage): Html {
  const { paths, account, business, loaded, imported_at, uploads, imports, limits, notice, messages } = page;
  const { business_id, timezone, primary_currency } = business;
  const { say } = messages;
  const known = loaded.filter(({ until }) => until !== null);
  const form = filesForm(paths.uploads(business_id), limits, messages);
  const body = html`
      ${storeTabs(paths, business_id, { current: 'data' })}
      ${openUploadsSection(page)}
      ${
        known.length === 0
          ? steps(uploads.some(({ work }) => work !== 'settings') ? 2 : 1, form, messages)
          : html`<p class="lead">Time zone ${timezone ?? 'UTC'}, currency ${primary_currency ?? 'not set'}.</p>
      <section class="card" aria-labelledby="loaded">
        <h2 id="loaded">What is loaded</h2>
        <dl class="facts">
          ${known.map(({ name, until }) => html`<div><dt>${name}</dt><dd>until ${moment(until ?? '')}</dd></div>`)}
          ${imported_at !== null && html`<div><dt>Updated</dt><dd>${moment(imported_at)}</dd></div>`}
        </dl>
      </section>
      ${salesSection(page.sales)}
      <section class="card" aria-labelledby="bring">
        <h2 id="bring">Add data</h2>
        ${form}
      </section>`
      }
      ${known.length === 0 && uploads.length === 0 ? html`<p><a class="button" href="${paths.sources(business_id)}">${say('store.connect')}</a></p>` : sourcesSection(page)}
      ${
        imports.length > 0 &&
        known.length > 0 &&
        html`<section class="stack" aria-labelledby="history">
        <h2 id="history">Versions</h2>
        <p class="lead">The last three are kept, and you can go back to one.</p>
        <ul class="cards">${imports.map((past) => html`<li class="card">${pastImport(paths, business_id, past)}</li>`)}</ul>
      </section>`
      }`;
  return layout({ title: plainLine(business.name, 100), paths, account, notice, body, messages });
}

function openUploadsSection({ paths, business, uploads }: StorePage): Html | false {
  return (
    uploads.length > 0 &&
    html`<section class="card" aria-labelledby="open-uploads">
        <h2 id="open-uploads">Not published yet</h2>
        <ul class="names">${uploads.map((upload) => html`<li><a class="button" href="${paths.upload(business.business_id, upload.upload_id)}">${describeUpload(upload)}</a> <span class="detail">${moment(upload.created_at)}</span></li>`)}</ul>
      </section>`
  );
}

function sourcesSection({ paths, business, sources }: StorePage): Html {
  return html`<section class="card" aria-labelledby="sources">
        <h2 id="sources">Data sources</h2>
        ${
          sources.length === 0
            ? html`<p>Connect your shop or your e-mail tool: updated every 15 minutes.</p>`
            : html`<dl class="facts">${sources.map((source) => html`<div><dt><bdi>${plainLine(source.name, 100)}</bdi></dt><dd>${source.isStuck ? html`<strong>${source.state}</strong>` : source.state}${source.loaded_until !== null && html`, loaded until ${moment(source.loaded_until)}`}</dd></div>`)}</dl>`
        }
        <p><a class="button" href="${paths.sources(business.business_id)}">${sources.length === 0 ? 'Connect a source' : 'Open data sources'}</a></p>
      </section>`;
}

/** Drawn here: the page has no script. The picture and the tables are made of escaped texts. */
function salesSection(sales: SalesView): Html {
  return html`<section class="card" aria-labelledby="sales">
        <h2 id="sales">Sales</h2>
        ${
          'why' in sales
            ? html`<p>${sales.why}</p>`
            : html`<p>Twelve months up to the last loaded order, compared with the year before.</p>
        ${pictures(sales.figure, 'sales', 'wide')}
        ${sales.notes.length > 0 && html`<ul class="detail">${sales.notes.map((note) => html`<li>${plainLine(note, 2000)}</li>`)}</ul>`}
        <details><summary>The same numbers as a table</summary><div class="wide-table" tabindex="0" role="region" aria-label="Sales as a table">${raw(tablesHtml(sales.figure))}</div></details>`
        }
      </section>`;
}

const NAMED_FILES = 3;

/** By its files, which people know. */
function describeUpload({ state, work, files }: OpenUpload): Html {
  if (work === 'settings')
    return html`${state === 'open' ? 'The settings were not changed: see why' : 'Settings are being saved'}`;
  const begins = state === 'open' ? 'Continue' : 'See how far it is';
  const more = files.length - NAMED_FILES;
  const names = files.slice(0, NAMED_FILES).map(({ name }) => plainLine(name, 60));
  return html`${begins}: <bdi>${names.length === 0 ? 'no files' : names.join(', ')}</bdi>${more > 0 && ` and ${more} more`}`;
}

function pastImport(paths: PagePaths, businessId: string, past: ImportView): Html {
  const { snapshot_id, created_at, is_served, report } = past;
  const of = html`<span class="visually-hidden"> of ${moment(created_at)}</span>`;
  return html`
          <h3>${moment(created_at)}${is_served && ' (in use)'}</h3>
          <p>${describeRows(past)}</p>
          ${report?.reconciliation.map(({ source, currency, orders, gross }) => html`<p class="detail">${plainLine(source, 100)}: ${orders.in_file} orders in the files, ${orders.valid} counted; ${gross.in_file} in the files, ${gross.revenue} counted${currency !== null && ` (${currency})`}</p>`)}
          <div class="buttons">
            <a class="button" href="${paths.pastImport(businessId, snapshot_id)}">Report${of}</a>
            ${!is_served && html`<a class="button danger" href="${paths.goBack(businessId, snapshot_id)}">Restore this version${of}</a>`}
          </div>`;
}
