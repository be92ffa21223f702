import { html } from 'hono/html';
import type { Vendor } from '../../live/vendor.ts';
import type { PagePaths } from '../paths.ts';
import { layout } from './layout.ts';
import { moment } from './moments.ts';
import type { SourceView } from './source-views.ts';
import { type StoreView, storeName } from './stores.ts';
import { plainLine } from './untrusted-text.ts';
import type { AccountView, Html } from './views.ts';

export interface SourcesPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly business: StoreView;
  readonly sources: readonly SourceView[];
  readonly vendors: readonly Pick<Vendor, 'name' | 'title'>[];
  readonly notice: string | null;
}

/** What a store is connected to, and what it can be connected to. */
export function sourcesPage(page: SourcesPage): Html {
  const { paths, account, business, sources, vendors, notice } = page;
  const { business_id } = business;
  const body = html`
      <p class="lead">${storeName(business)} is updated from these every quarter of an hour. Storesight only reads there.</p>
      ${
        sources.length === 0
          ? html`<div class="card empty"><h2>Nothing is connected yet</h2><p>Choose below where the data of the store is.</p></div>`
          : html`<ul class="cards">${sources.map((source) => html`<li class="card">${card(paths, business_id, source)}</li>`)}</ul>`
      }
      <section class="card" aria-labelledby="connect">
        <h2 id="connect">Connect</h2>
        <p>You need a key of the system, or a link. The next page says where to click for it.</p>
        <div class="buttons">${vendors.map(({ name, title }) => html`<a class="button" href="${paths.newSource(business_id, name)}">${title}</a>`)}</div>
      </section>
      <p><a class="button" href="${paths.store(business_id)}">Back to the store</a></p>`;
  return layout({ title: 'Data sources', paths, account, notice, body });
}

function card(paths: PagePaths, businessId: string, source: SourceView): Html {
  return html`
          <h2><bdi>${plainLine(source.name, 100)}</bdi></h2>
          ${sourceFacts(source)}
          <div class="buttons">
            <a class="button" href="${paths.source(businessId, source.connection_id)}">Open<span class="visually-hidden"> ${plainLine(source.name, 100)}</span></a>
          </div>`;
}

/** How a connection is, and what to do. */
export function sourceFacts({ vendor, account, state, ...source }: SourceView): Html {
  const { advice, message, loaded_until, reached_at } = source;
  return html`<dl class="facts">
            <div><dt>Reads</dt><dd>${vendor}${account !== null && account !== vendor && html`: <bdi>${plainLine(account, 100)}</bdi>`}</dd></div>
            <div><dt>State</dt><dd>${source.isStuck ? html`<strong>${state}</strong>` : state}</dd></div>
            ${message !== null && html`<div><dt>What happened</dt><dd>${plainLine(message)}</dd></div>`}
            ${advice !== null && html`<div><dt>What to do</dt><dd>${advice}</dd></div>`}
            <div><dt>Loaded until</dt><dd>${loaded_until === null ? 'not in full yet' : moment(loaded_until)}</dd></div>
            <div><dt>Last reached</dt><dd>${reached_at === null ? 'never' : moment(reached_at)}</dd></div>
            <div><dt>Next read</dt><dd>${nextRead(source.next)}</dd></div>
          </dl>`;
}

function nextRead(next: SourceView['next']): Html | string {
  switch (next.kind) {
    case 'now':
      return 'it is being read now';
    case 'soon':
      return 'in a moment';
    case 'paused':
      return 'not while it is paused';
    case 'late':
      return html`due since ${moment(next.since)}: many are waiting, or nothing runs that reads. If it stays so, tell whoever runs this Storesight`;
    default:
      return moment(next.at);
  }
}
