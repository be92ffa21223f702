import { html } from 'hono/html';
import { cursorLink, vsCodeLink } from './install-links.ts';
import type { Html } from './views.ts';

/** How an app is connected. Apps rename their menus often, so each guide says what is meant, not only where it is. */
export interface ClientGuide {
  readonly where: 'cloud' | 'computer';
  readonly name: string;
  readonly detail: string;
  readonly steps: (mcpUrl: string) => readonly Html[];
  readonly note?: string;
}

export const CLIENT_GUIDES: readonly ClientGuide[] = [
  {
    where: 'cloud',
    name: 'Claude',
    detail: 'web, desktop and phone',
    steps: (mcpUrl) => [
      html`Open <b>Customize</b> (in older versions <b>Settings</b>) and there <b>Connectors</b>. In a Team or Enterprise plan, an owner adds the connector first.`,
      html`Choose <b>Add custom connector</b>. Name: <code>Storesight</code>. Address: ${copyable(mcpUrl)}`,
      html`Choose <b>Connect</b> beside it and sign in.`,
    ],
    note: 'A phone shows the connector once it was added on the web. The desktop app too connects from the servers of Anthropic.',
  },
  {
    where: 'cloud',
    name: 'ChatGPT',
    detail: 'web, in developer mode',
    steps: (mcpUrl) => [
      html`Open <b>Settings</b>, <b>Apps</b> (in older versions <b>Connectors</b>), <b>Advanced settings</b>, and switch <b>Developer mode</b> on. In a Business, Enterprise or Edu workspace an admin allows this first.`,
      html`Go back to <b>Apps</b> and choose <b>Create app</b>. Name: <code>Storesight</code>. Authentication: <b>OAuth</b>. MCP server URL: ${copyable(mcpUrl)}`,
      html`Choose <b>Create</b> and sign in. In a chat, switch Storesight on under <b>+</b>.`,
    ],
  },
  {
    where: 'computer',
    name: 'Claude Code',
    detail: 'command line',
    steps: (mcpUrl) => [
      html`Run this; with <code>--scope user</code> after <code>add</code> it holds for all your projects. ${copyable(`claude mcp add --transport http storesight ${mcpUrl}`)}`,
      html`Start <code>claude</code>, type <code>/mcp</code>, choose <b>storesight</b> and sign in.`,
    ],
  },
  {
    where: 'computer',
    name: 'VS Code',
    detail: 'with GitHub Copilot',
    steps: (mcpUrl) => [
      html`<a class="button" href="${vsCodeLink(mcpUrl)}">Add to VS Code</a> VS Code opens, shows what it would add, and asks.`,
      html`Or run this in a shell of Linux or macOS: ${copyable(`code --add-mcp '${JSON.stringify({ name: 'storesight', type: 'http', url: mcpUrl })}'`)}`,
      html`Or put this into <code>.vscode/mcp.json</code> of a project: ${copyable(asJson({ servers: { storesight: { type: 'http', url: mcpUrl } } }))}`,
      html`Run <b>MCP: List Servers</b> from the command palette, start <b>storesight</b> and sign in.`,
    ],
  },
  {
    where: 'computer',
    name: 'Cursor',
    detail: 'editor and command line',
    steps: (mcpUrl) => [
      html`<a class="button" href="${cursorLink(mcpUrl)}">Add to Cursor</a> Cursor opens, shows what it would add, and asks.`,
      html`Or put this into <code>~/.cursor/mcp.json</code>, or into <code>.cursor/mcp.json</code> of one project: ${copyable(asJson({ mcpServers: { storesight: { url: mcpUrl } } }))}`,
      html`Open Cursor’s list of MCP servers, switch <b>storesight</b> on and sign in.`,
    ],
  },
  {
    where: 'computer',
    name: 'MCP Inspector',
    detail: 'to look at the tools one by one',
    steps: (mcpUrl) => [
      html`Run this and open the address that it prints: ${copyable('npx @modelcontextprotocol/inspector')}`,
      html`Transport: <b>Streamable HTTP</b>. URL: ${copyable(mcpUrl)}`,
      html`Choose <b>Connect</b> and sign in.`,
    ],
  },
  {
    where: 'computer',
    name: 'Any other app',
    detail: 'that speaks MCP',
    steps: (mcpUrl) => [
      html`Add a remote server with the transport “Streamable HTTP” (or “HTTP”) and sign-in by OAuth. Many apps read this: ${copyable(asJson({ mcpServers: { storesight: { type: 'http', url: mcpUrl } } }))}`,
      html`An app that only starts local commands connects through a bridge: ${copyable(`npx mcp-remote ${mcpUrl}`)}`,
    ],
  },
];

function asJson(settings: unknown): string {
  return JSON.stringify(settings, null, 2);
}

/** One click selects all of it. TRICKY: no white space around the text, it would be copied. */
function copyable(text: string): Html {
  return html`<pre class="copyable"><code>${text}</code></pre>`;
}
