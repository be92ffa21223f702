import { html } from 'hono/html';
import type { Messages } from '../../messages/messages.ts';
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
  /** Accounts of the store that could become managers. */
  readonly others: readonly Person[];
  readonly error: string | null;
  readonly notice: string | null;
  readonly messages: Messages;
}

export function managersPage(page: ManagersPage): Html {
  const { paths, account, business, managers, others, error, notice, messages } = page;
  const { say, around } = messages;
  const body = html`
      ${storeTabs(paths, business.business_id, { current: 'team', messages })}
      <p class="lead">${around('team.lead', { store: storeName(business, messages) })}</p>
      <h2>${say('team.title')}</h2>
      <ul class="cards">${managers.map((manager) => html`<li class="card">${card(page, manager, manager.account_id === account.account_id)}</li>`)}</ul>
      <h2>${say('team.add-title')}</h2>
      ${
        others.length === 0
          ? html`<p>${say('team.nobody-else')}</p>`
          : html`<form class="card stack" method="post" action="${paths.managers(business.business_id)}">
        <div class="field">
          <label for="account">${say('team.account')}</label>
          <select id="account" name="account_id" required${error !== null && html` aria-describedby="error"`}>
            <option value="">${say('upload.choose')}</option>
            ${others.map(({ account_id, email }) => html`<option value="${account_id}">${email}</option>`)}
          </select>
        </div>
        <div class="buttons"><button class="button primary" type="submit">${say('team.make')}</button></div>
      </form>`
      }`;
  return layout({ title: say('tabs.team'), paths, account, error, notice, body, messages });
}

function card({ paths, business, managers, messages }: ManagersPage, manager: Person, isSelf: boolean): Html {
  const { say } = messages;
  return html`
          <h3><bdi>${manager.email}</bdi>${isSelf && ` ${say('team.you')}`}</h3>
          ${
            managers.length > 1 &&
            html`<form method="post" action="${paths.removeManager(business.business_id)}">
            <input type="hidden" name="account_id" value="${manager.account_id}">
            <button class="button danger" type="submit">${say('team.remove')}<span class="visually-hidden">: ${manager.email}</span></button>
          </form>`
          }`;
}
