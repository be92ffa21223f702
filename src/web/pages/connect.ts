import { html } from 'hono/html';
import type { PagePaths } from '../paths.ts';
import { CLIENT_GUIDES, type ClientGuide } from './client-guides.ts';
import { isOnThisComputer } from './hosts.ts';
import { layout } from './layout.ts';
import type { AccountView, Html } from './views.ts';

export interface ConnectPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  /** The full URL of the MCP endpoint. */
  readonly mcpUrl: string;
  readonly notice?: string | null;
}

export function connectPage({ paths, account, mcpUrl, notice = null }: ConnectPage): Html {
  const body = html`
      <p class="lead">Give this address to your app. It opens the sign-in in your browser when it first connects, and you choose there which stores it may read.</p>
      <div class="card field">
        <label for="mcp-url">Address of the MCP server</label>
        <input class="address" id="mcp-url" type="url" value="${mcpUrl}" readonly aria-describedby="mcp-url-hint">
        <p class="hint" id="mcp-url-hint">Select it all and copy. It holds no secret.</p>
      </div>
      ${isOnThisComputer(new URL(mcpUrl).host) && LOOPBACK_WARNING}
      <h2>Apps in the cloud</h2>
      ${guides('cloud', mcpUrl)}
      <h2>Apps on your computer</h2>
      ${guides('computer', mcpUrl)}`;
  return layout({ title: 'Connect an app', paths, account, notice, current: paths.connect, body });
}

const LOOPBACK_WARNING = html`<p class="message warning"><strong>This address works on this computer only.</strong> Apps in the cloud, such as Claude (its desktop app too) and ChatGPT, cannot reach it: they need an address on the internet that begins with https. Ask whoever runs this Storesight for one. Apps on this computer work as they are.</p>`;

function guides(where: ClientGuide['where'], mcpUrl: string): Html {
  return html`<div class="guides">${CLIENT_GUIDES.filter((guide) => guide.where === where).map(
    ({ name, detail, steps, note }) => html`
        <details class="card guide">
          <summary><strong>${name}</strong> <span class="detail">${detail}</span></summary>
          <ol>${steps(mcpUrl).map((step) => html`<li>${step}</li>`)}</ol>
          ${note !== undefined && html`<p class="hint">${note}</p>`}
        </details>`,
  )}
      </div>`;
}
