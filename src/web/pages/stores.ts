import { html } from 'hono/html';
import type { PagePaths } from '../paths.ts';
import { layout } from './layout.ts';
import { moment } from './moments.ts';
import { untrustedName } from './untrusted-text.ts';
import type { AccountView, Html } from './views.ts';

export interface StoreView {
  readonly business_id: string;
  readonly name: string;
  readonly timezone: string | null;
  readonly primary_currency: string | null;
}

interface ListedStore extends StoreView {
  readonly imported_at: string | null;
  readonly isManaged: boolean;
  readonly isReader: boolean;
}

export interface StoresPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  /** The stores that the account manages, and then those that it only reads. */
  readonly stores: readonly ListedStore[];
  readonly mayCreate: boolean;
  readonly notice?: string | null;
}

export function storesPage({ paths, account, stores, mayCreate, notice = null }: StoresPage): Html {
  const body = html`
      <p class="lead">See the numbers of your stores, and add and update their data. Questions are asked in a connected app.</p>
      ${
        stores.length === 0
          ? nothingManaged(paths, mayCreate)
          : html`<ul class="cards">${stores.map((store) => html`<li class="card">${card(paths, store)}</li>`)}</ul>
      ${mayCreate && html`<p><a class="button" href="${paths.newStore}">Create another store</a></p>`}`
      }`;
  return layout({ title: 'Stores', paths, account, current: paths.stores, notice, body });
}

export function storeName({ name }: { readonly name: string }): Html {
  return untrustedName(name, 'A store without a name');
}

function nothingManaged(paths: PagePaths, mayCreate: boolean): Html {
  if (mayCreate)
    return html`<div class="card empty">
        <h2>You manage no store yet</h2>
        <p>Make one, then upload the files that your shop exports.</p>
        <p><a class="button primary" href="${paths.newStore}">Create your first store</a></p>
      </div>`;
  return html`<div class="card empty">
        <h2>You manage no store</h2>
        <p>You may read stores in connected apps, but not bring data into them. Whoever runs this Storesight allows it, or another manager of the store.</p>
      </div>`;
}

function card(paths: PagePaths, store: ListedStore): Html {
  return html`
          <h2>${storeName(store)}</h2>
          <dl class="facts">
            <div><dt>Data</dt><dd>${store.imported_at === null ? 'none yet' : html`of ${moment(store.imported_at)}`}</dd></div>
            <div><dt>Time zone and currency</dt><dd>${store.timezone ?? 'UTC'}, ${store.primary_currency ?? 'no currency'}</dd></div>
          </dl>
          <div class="buttons">
            ${store.isReader && html`<a class="button primary" href="${paths.overview(store.business_id)}">Overview<span class="visually-hidden"> of ${storeName(store)}</span></a>`}
            ${store.isManaged && html`<a class="button" href="${paths.store(store.business_id)}">Data<span class="visually-hidden"> of ${storeName(store)}</span></a>`}
          </div>`;
}
