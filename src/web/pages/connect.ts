import { html } from 'hono/html';
import type { Messages } from '../../messages/messages.ts';
import type { PagePaths } from '../paths.ts';
import { type ClientGuide, clientGuides } from './client-guides.ts';
import { isOnThisComputer } from './hosts.ts';
import { layout } from './layout.ts';
import type { AccountView, Html } from './views.ts';

export interface ConnectPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  /** The full URL of the MCP endpoint. */
  readonly mcpUrl: string;
  readonly notice?: string | null;
  readonly messages: Messages;
}

export function connectPage({ paths, account, mcpUrl, notice = null, messages }: ConnectPage): Html {
  const { say } = messages;
  const body = html`
      <p class="lead">${say('connect.lead')}</p>
      <div class="card field">
        <label for="mcp-url">${say('connect.address')}</label>
        <input class="address" id="mcp-url" type="url" value="${mcpUrl}" readonly aria-describedby="mcp-url-hint">
        <p class="hint" id="mcp-url-hint">${say('connect.copy')}</p>
      </div>
      ${isOnThisComputer(new URL(mcpUrl).host) && loopbackWarning(messages)}
      <h2>${say('connect.cloud')}</h2>
      ${guides('cloud', mcpUrl, messages)}
      <h2>${say('connect.computer')}</h2>
      ${guides('computer', mcpUrl, messages)}`;
  return layout({
    title: say('layout.connect'),
    paths,
    account,
    notice,
    current: paths.connect,
    body,
    messages,
  });
}

function loopbackWarning({ say }: Messages): Html {
  return html`<p class="message warning"><strong>${say('connect.loopback')}</strong> ${say('connect.loopback-text')}</p>`;
}

function guides(where: ClientGuide['where'], mcpUrl: string, messages: Messages): Html {
  return html`<div class="guides">${clientGuides(mcpUrl, messages)
    .filter((guide) => guide.where === where)
    .map(
      ({ name, detail, steps, note }) => html`
        <details class="card guide">
          <summary><strong>${name}</strong> <span class="detail">${detail}</span></summary>
          <ol>${steps.map((step) => html`<li>${step}</li>`)}</ol>
          ${note !== undefined && html`<p class="hint">${note}</p>`}
        </details>`,
    )}
      </div>`;
}
