import { html } from 'hono/html';
import type { Vendor } from '../../live/vendor.ts';
import type { Messages } from '../../messages/messages.ts';
import type { PagePaths } from '../paths.ts';
import type { ConnectionView } from './connection-views.ts';
import { layout } from './layout.ts';
import { moment } from './moments.ts';
import { quoted, quotedLang } from './quoted-sentences.ts';
import { type StoreView, storeName } from './stores.ts';
import { plainLine } from './untrusted-text.ts';
import { vendorReads, vendorTitle } from './vendor-words.ts';
import type { AccountView, Html } from './views.ts';

export interface ConnectionsPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly business: StoreView;
  readonly connections: readonly ConnectionView[];
  readonly vendors: readonly Pick<Vendor, 'name' | 'title'>[];
  readonly notice: string | null;
  readonly messages: Messages;
}

/** The page about what a store is connected to, and what it can be connected to. */
export function connectionsPage(page: ConnectionsPage): Html {
  const { paths, account, business, connections, vendors, notice, messages } = page;
  const { say, around } = messages;
  const { business_id } = business;
  const body = html`
      <p class="lead">${around(connections.length === 0 ? 'sources.lead-none' : 'sources.lead', { store: storeName(business, messages) })}</p>
      ${
        connections.length === 0
          ? html`<div class="card empty"><h2>${say('sources.none')}</h2><p>${say('sources.choose')}</p></div>`
          : html`<ul class="cards">${connections.map((connection) => html`<li class="card">${card(paths, business, connection, messages)}</li>`)}</ul>`
      }
      <section class="card" aria-labelledby="connect">
        <h2 id="connect">${say('sources.connect')}</h2>
        <p>${say('sources.connect-lead')}</p>
        <dl class="facts">${vendors.map((vendor) => html`<div><dt><a class="button" href="${paths.newConnection(business_id, vendor.name)}">${vendorTitle(vendor, messages)}</a></dt><dd>${vendorReads(vendor, messages)}</dd></div>`)}</dl>
      </section>
      <p><a class="button" href="${paths.store(business_id)}">${say('upload.back')}</a></p>`;
  return layout({ title: say('store.sources'), paths, account, notice, body, messages });
}

function card(paths: PagePaths, business: StoreView, connection: ConnectionView, messages: Messages): Html {
  return html`
          <h2><bdi>${plainLine(connection.name, 100)}</bdi></h2>
          ${connectionFacts(connection, business, messages)}
          <div class="buttons">
            <a class="button" href="${paths.connection(business.business_id, connection.connection_id)}">${messages.say('sources.open')}<span class="visually-hidden"> ${plainLine(connection.name, 100)}</span></a>
          </div>`;
}

/** How a connection is, and what to do. */
export function connectionFacts(
  { vendor, account, state, ...connection }: ConnectionView,
  { timezone }: Pick<StoreView, 'timezone'>,
  messages: Messages,
): Html {
  const { say } = messages;
  const { advice, message, loaded_until, reached_at } = connection;
  return html`<dl class="facts">
            <div><dt>${say('sources.reads')}</dt><dd>${quoted(vendor, messages)}${account !== null && account !== vendor && html`: <bdi>${plainLine(account, 100)}</bdi>`}</dd></div>
            <div><dt>${say('sources.state')}</dt><dd>${connection.isStuck ? html`<strong>${say(state)}</strong>` : say(state)}</dd></div>
            ${message !== null && html`<div><dt>${say('sources.happened')}</dt><dd${quotedLang(messages)}>${plainLine(message)}</dd></div>`}
            ${advice !== null && html`<div><dt>${say('sources.to-do')}</dt><dd>${say(advice)}</dd></div>`}
            <div><dt>${say('sources.loaded-until')}</dt><dd>${loaded_until === null ? say('sources.not-in-full') : moment(loaded_until, messages, timezone)}</dd></div>
            <div><dt>${say('sources.reached')}</dt><dd>${reached_at === null ? say('sources.never') : moment(reached_at, messages, timezone)}</dd></div>
            <div><dt>${say('sources.next')}</dt><dd>${nextRead(connection.next, timezone, messages)}</dd></div>
          </dl>`;
}

function nextRead(next: ConnectionView['next'], timezone: string | null, messages: Messages): Html | string {
  const { say, around } = messages;
  switch (next.kind) {
    case 'now':
      return say('sources.now');
    case 'soon':
      return say('sources.soon');
    case 'paused':
      return say('sources.not-paused');
    case 'late':
      return html`${around('sources.late', { moment: moment(next.since, messages, timezone) })}`;
    default:
      return moment(next.at, messages, timezone);
  }
}
