import { html } from 'hono/html';
import type { Messages } from '../../messages/messages.ts';
import type { PagePaths } from '../paths.ts';
import { describeRedirect } from './hosts.ts';
import { layout } from './layout.ts';
import { moment } from './moments.ts';
import { storeName } from './stores.ts';
import { untrustedName } from './untrusted-text.ts';
import type { AccountView, AppView, Html } from './views.ts';

const NAMED_AT_ONCE = 5;

export interface AppsPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly apps: readonly AppView[];
  readonly notice: string | null;
  readonly messages: Messages;
}

export function appsPage(page: AppsPage): Html {
  const { paths, account, apps, notice, messages } = page;
  const { say, around } = messages;
  const body = html`
      <p class="lead">${around('apps.signed-in', { email: html`<bdi>${account.email}</bdi>` })}${apps.length > 0 && ` ${say('apps.may-read')}`}</p>
      ${
        apps.length === 0
          ? nothingConnected(paths, messages)
          : html`<ul class="cards">${apps.map((app) => html`<li class="card">${card(paths, app, messages)}</li>`)}</ul>
      <p><a class="button" href="${paths.connect}">${say('apps.connect-another')}</a></p>`
      }`;
  return layout({
    title: say('layout.apps'),
    paths,
    account,
    notice,
    current: paths.apps,
    body,
    messages,
  });
}

/** The name of an app, or of a token that no app asked for. */
export function appName(app: AppView, { say }: Messages): Html {
  if (app.client_name === null) return html`${say('apps.token')}`;
  return untrustedName(app.client_name, say('apps.nameless'));
}

function nothingConnected(paths: PagePaths, { say }: Messages): Html {
  return html`<div class="card empty">
        <h2>${say('apps.none')}</h2>
        <p>${say('apps.none-text')}</p>
        <p><a class="button primary" href="${paths.connect}">${say('apps.connect-first')}</a></p>
      </div>`;
}

function card(paths: PagePaths, app: AppView, messages: Messages): Html {
  const { say, around } = messages;
  const { grant_id, redirect_host, businesses, created_at, last_used_at, expires_at } = app;
  const name = appName(app, messages);
  return html`
          <h2>${name}</h2>
          ${app.client_name === null && html`<p>${say('apps.token-text')}</p>`}
          <dl class="facts">
            ${app.client_name === null && html`<div><dt>${say('apps.id')}</dt><dd><code>${grant_id}</code></dd></div>`}
            ${redirect_host !== null && html`<div><dt>${say('apps.from')}</dt><dd>${describeRedirect(redirect_host, messages)}</dd></div>`}
            <div><dt>${say('layout.stores')}</dt><dd>${businesses === 'all' ? say('apps.all-stores') : businessNames(businesses, messages)}</dd></div>
            <div><dt>${say('apps.connected')}</dt><dd>${moment(created_at, messages)}</dd></div>
            <div><dt>${say('apps.last-used')}</dt><dd>${last_used_at === null ? say('sources.never') : moment(last_used_at, messages)}</dd></div>
            <div><dt>${say('apps.ends')}</dt><dd>${moment(expires_at, messages)}</dd></div>
          </dl>
          <div class="buttons">
            <a class="button" href="${paths.appAccess(grant_id)}">${say('apps.change')}<span class="visually-hidden"> ${around('stores.of', { name })}</span></a>
            <form method="post" action="${paths.revokeApp(grant_id)}">
              <button class="button danger" type="submit">${say('apps.disconnect')}<span class="visually-hidden"> ${name}</span></button>
            </form>
          </div>`;
}

function businessNames(businesses: readonly { readonly name: string }[], messages: Messages): Html {
  const { say } = messages;
  if (businesses.length === 0) return html`${say('apps.no-stores')}`;
  const names = businesses.map((business) => html`<li>${storeName(business, messages)}</li>`);
  const others = names.slice(NAMED_AT_ONCE);
  return html`<ul class="names">${names.slice(0, NAMED_AT_ONCE)}</ul>
            ${others.length > 0 && html`<details><summary>${say('choice.and-more', { count: others.length })}</summary><ul class="names">${others}</ul></details>`}`;
}
