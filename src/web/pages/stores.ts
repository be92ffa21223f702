import { html } from 'hono/html';
import type { Messages } from '../../messages/messages.ts';
import type { PagePaths } from '../paths.ts';
import { daysOld } from './data-age.ts';
import { layout } from './layout.ts';
import { moment } from './moments.ts';
import { storeFields } from './new-store.ts';
import { steps } from './steps.ts';
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
  /** The moment of its newest order; null where it has none. */
  readonly orders_until: string | null;
  readonly isManaged: boolean;
  readonly isReader: boolean;
}

export interface StoresPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  /** The stores that the account manages, followed by those that it may only read. */
  readonly stores: readonly ListedStore[];
  readonly mayCreate: boolean;
  readonly notice: string | null;
  readonly messages: Messages;
}

export function storesPage({ paths, account, stores, mayCreate, notice, messages }: StoresPage): Html {
  const { say } = messages;
  const another = html`<p><a class="button" href="${paths.newStore}">${say('stores.another')}</a></p>`;
  const body =
    stores.length === 0
      ? noStore(paths, mayCreate, messages)
      : html`
      <p class="lead">${say('stores.lead')}</p>
      <ul class="cards">${stores.map((store) => html`<li class="card">${card(paths, store, messages)}</li>`)}</ul>
      ${mayCreate && another}`;
  return layout({
    title: say('stores.title'),
    current: paths.stores,
    paths,
    account,
    notice,
    body,
    messages,
  });
}

export function storeName({ name }: { readonly name: string }, { say }: Messages): Html {
  return untrustedName(name, say('stores.nameless'));
}

function noStore(paths: PagePaths, mayCreate: boolean, messages: Messages): Html {
  const { say } = messages;
  const form = html`<form class="stack" method="post" action="${paths.newStore}">
          ${storeFields('', null, messages)}
          <div class="buttons"><button class="button primary" type="submit">${say('new-store.create')}</button></div>
        </form>`;
  if (mayCreate) return steps(0, form, messages);
  return html`<div class="card empty">
        <h2>${say('stores.none')}</h2>
        <p>${say('stores.ask')}</p>
      </div>`;
}

function card(paths: PagePaths, store: ListedStore, messages: Messages): Html {
  const { say, around } = messages;
  const { business_id, imported_at, orders_until, timezone, primary_currency } = store;
  const name = storeName(store, messages);
  const old = daysOld(orders_until, timezone);
  const of = html`<span class="visually-hidden"> ${around('stores.of', { name })}</span>`;
  // A store without numbers needs data first.
  const isNext = imported_at === null && store.isManaged;
  return html`
          <h2>${name}</h2>
          <dl class="facts">
            ${
              imported_at === null
                ? html`<div><dt>${say('stores.data')}</dt><dd>${say('stores.no-data')}</dd></div>`
                : html`${orders_until !== null && html`<div><dt>${say('stores.newest-order')}</dt><dd>${moment(orders_until, messages, timezone)}${old !== null && html` <strong>${say('data.days-ago', { count: old })}</strong>`}</dd></div>`}
            <div><dt>${say('store.updated')}</dt><dd>${moment(imported_at, messages, timezone)}</dd></div>
            <div><dt>${say('stores.settings')}</dt><dd>${timezone ?? 'UTC'}, ${primary_currency ?? say('stores.no-currency')}</dd></div>`
            }
          </dl>
          <div class="buttons">
            ${store.isReader && html`<a class="button${!isNext && html` primary`}" href="${paths.overview(business_id)}">${say('overview.overview')}${of}</a>`}
            ${store.isManaged && html`<a class="button${isNext && html` primary`}" href="${paths.store(business_id)}">${say(isNext ? 'store.add-data' : 'stores.data')}${of}</a>`}
          </div>`;
}
