import { html } from 'hono/html';
import { ENGLISH } from '../../messages/messages.ts';
import type { PagePaths } from '../paths.ts';
import { describeRedirect } from './hosts.ts';
import { layout } from './layout.ts';
import { moment } from './moments.ts';
import { untrustedName } from './untrusted-text.ts';
import type { AccountView, ConnectionView, Html } from './views.ts';

const NAMED_AT_ONCE = 5;

export interface ConnectionsPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly connections: readonly ConnectionView[];
  readonly notice: string | null;
}

export function connectionsPage({ paths, account, connections, notice }: ConnectionsPage): Html {
  const body = html`
      <p class="lead">Signed in as <bdi>${account.email}</bdi>.${connections.length > 0 && ' These apps may read your stores.'}</p>
      ${
        connections.length === 0
          ? nothingConnected(paths)
          : html`<ul class="cards">${connections.map((connection) => html`<li class="card">${card(paths, connection)}</li>`)}</ul>
      <p><a class="button" href="${paths.connect}">Connect another app</a></p>`
      }`;
  return layout({ title: 'Connected apps', paths, account, notice, current: paths.connections, body });
}

/** The name of a connection, also of one that no app asked for. */
export function connectionName(connection: ConnectionView): Html {
  if (connection.client_name === null) return html`Token made on the command line`;
  return untrustedName(connection.client_name, 'An app without a name');
}

function nothingConnected(paths: PagePaths): Html {
  return html`<div class="card empty">
        <h2>No app is connected yet</h2>
        <p>Connect Claude, ChatGPT, an editor or any other MCP client, and ask about your stores there.</p>
        <p><a class="button primary" href="${paths.connect}">Connect your first app</a></p>
      </div>`;
}

function card(paths: PagePaths, connection: ConnectionView): Html {
  const { grant_id, redirect_host, businesses, created_at, last_used_at, expires_at } = connection;
  const name = connectionName(connection);
  return html`
          <h2>${name}</h2>
          <dl class="facts">
            ${redirect_host !== null && html`<div><dt>Connected from</dt><dd>${describeRedirect(redirect_host)}</dd></div>`}
            <div><dt>Stores</dt><dd>${businesses === 'all' ? 'All, also those added later' : businessNames(businesses)}</dd></div>
            <div><dt>Connected</dt><dd>${moment(created_at, ENGLISH)}</dd></div>
            <div><dt>Last used</dt><dd>${last_used_at === null ? 'never' : moment(last_used_at, ENGLISH)}</dd></div>
            <div><dt>Ends</dt><dd>${moment(expires_at, ENGLISH)}</dd></div>
          </dl>
          <div class="buttons">
            <a class="button" href="${paths.connection(grant_id)}">Change stores<span class="visually-hidden"> of ${name}</span></a>
            <form method="post" action="${paths.revokeConnection(grant_id)}">
              <button class="button danger" type="submit">Disconnect<span class="visually-hidden"> ${name}</span></button>
            </form>
          </div>`;
}

function businessNames(businesses: readonly { readonly name: string }[]): Html {
  if (businesses.length === 0) return html`None: it can read nothing`;
  const names = businesses.map(({ name }) => html`<li>${untrustedName(name, 'A store without a name')}</li>`);
  const others = names.slice(NAMED_AT_ONCE);
  return html`<ul class="names">${names.slice(0, NAMED_AT_ONCE)}</ul>
            ${others.length > 0 && html`<details><summary>and ${others.length} more</summary><ul class="names">${others}</ul></details>`}`;
}
