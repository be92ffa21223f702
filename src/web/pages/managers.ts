import { html } from 'hono/html';
import { ENGLISH } from '../../messages/messages.ts';
import type { PagePaths } from '../paths.ts';
import { layout } from './layout.ts';
import { storeTabs } from './store-tabs.ts';
import { type StoreView, storeName } from './stores.ts';
import type { AccountView, Html } from './views.ts';

interface Person extends AccountView {
  readonly account_id: string;
}

export interface ManagersPage {
  readonly paths: PagePaths;
  readonly account: Person;
  readonly business: StoreView;
  readonly managers: readonly Person[];
  /** Accounts of the store that could become one. */
  readonly others: readonly Person[];
  readonly error: string | null;
  readonly notice: string | null;
}

export function managersPage(page: ManagersPage): Html {
  const { paths, account, business, managers, others, error, notice } = page;
  const body = html`
      ${storeTabs(paths, business.business_id, { current: 'team', messages: ENGLISH })}
      <p class="lead">A manager of ${storeName(business, ENGLISH)} imports files into it, takes imports back, and names other managers. What somebody may read is another matter.</p>
      <ul class="cards">${managers.map((manager) => html`<li class="card">${card(page, manager, manager.account_id === account.account_id)}</li>`)}</ul>
      <h2>Add a manager</h2>
      ${
        others.length === 0
          ? html`<p>Everybody to whom this store is assigned manages it. Whoever runs this Storesight assigns it to others.</p>`
          : html`<form class="card stack" method="post" action="${paths.managers(business.business_id)}">
        <div class="field">
          <label for="account">Account to which this store is assigned</label>
          <select id="account" name="account_id" required${error !== null && html` aria-describedby="error"`}>
            <option value="">Choose …</option>
            ${others.map(({ account_id, email }) => html`<option value="${account_id}">${email}</option>`)}
          </select>
        </div>
        <div class="buttons"><button class="button primary" type="submit">Make a manager</button></div>
      </form>`
      }`;
  return layout({ title: 'Managers', paths, account, error, notice, body });
}

function card({ paths, business, managers }: ManagersPage, manager: Person, isSelf: boolean): Html {
  return html`
          <h2><bdi>${manager.email}</bdi>${isSelf && ' (you)'}</h2>
          ${
            managers.length > 1 &&
            html`<form method="post" action="${paths.removeManager(business.business_id)}">
            <input type="hidden" name="account_id" value="${manager.account_id}">
            <button class="button danger" type="submit">Take the role away<span class="visually-hidden"> from ${manager.email}</span></button>
          </form>`
          }`;
}
