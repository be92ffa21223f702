import { html } from 'hono/html';
import type { Messages } from '../../messages/messages.ts';
import { cursorLink, vsCodeLink } from './install-links.ts';
import type { Html } from './views.ts';

/**
 * How to connect an app. Apps rename their menus often, so each guide says what is meant, not only where it
 * is.
 */
export interface ClientGuide {
  readonly where: 'cloud' | 'computer';
  readonly name: string;
  readonly detail: string;
  readonly steps: readonly Html[];
  readonly note?: string;
}

/** The guides for all apps. Menus, commands and files have the names that the apps give them. */
export function clientGuides(mcpUrl: string, messages: Messages): readonly ClientGuide[] {
  return [
    claude(mcpUrl, messages),
    chatGpt(mcpUrl, messages),
    claudeCode(mcpUrl, messages),
    vsCode(mcpUrl, messages),
    cursor(mcpUrl, messages),
    inspector(mcpUrl, messages),
    anyOther(mcpUrl, messages),
  ];
}

const STORESIGHT = html`<b>storesight</b>`;
const NAME = html`<code>Storesight</code>`;

function claude(mcpUrl: string, { say, around }: Messages): ClientGuide {
  return {
    where: 'cloud',
    name: 'Claude',
    detail: say('guide.web-phone'),
    steps: [
      html`${around('guide.claude-open', { customize: html`<b>Customize</b>`, settings: html`<b>Settings</b>`, connectors: html`<b>Connectors</b>` })}`,
      html`${around('guide.claude-add', { add: html`<b>Add custom connector</b>`, name: NAME, address: copyable(mcpUrl) })}`,
      html`${around('guide.claude-connect', { connect: html`<b>Connect</b>` })}`,
    ],
    note: say('guide.claude-note'),
  };
}

function chatGpt(mcpUrl: string, { say, around }: Messages): ClientGuide {
  const apps = html`<b>Apps</b>`;
  const menus = {
    settings: html`<b>Settings</b>`,
    connectors: html`<b>Connectors</b>`,
    advanced: html`<b>Advanced settings</b>`,
    developer: html`<b>Developer mode</b>`,
  };
  return {
    where: 'cloud',
    name: 'ChatGPT',
    detail: say('guide.web-developer'),
    steps: [
      html`${around('guide.chatgpt-open', { ...menus, apps })}`,
      html`${around('guide.chatgpt-create', { apps, create: html`<b>Create app</b>`, name: NAME, oauth: html`<b>OAuth</b>`, address: copyable(mcpUrl) })}`,
      html`${around('guide.chatgpt-sign-in', { create: html`<b>Create</b>`, plus: html`<b>+</b>` })}`,
    ],
  };
}

function claudeCode(mcpUrl: string, { say, around }: Messages): ClientGuide {
  const command = copyable(`claude mcp add --transport http storesight ${mcpUrl}`);
  return {
    where: 'computer',
    name: 'Claude Code',
    detail: say('guide.command-line'),
    steps: [
      html`${around('guide.code-run', { scope: html`<code>--scope user</code>`, add: html`<code>add</code>`, command })}`,
      html`${around('guide.code-start', { claude: html`<code>claude</code>`, mcp: html`<code>/mcp</code>`, storesight: STORESIGHT })}`,
    ],
  };
}

function vsCode(mcpUrl: string, { say, around }: Messages): ClientGuide {
  const app = 'VS Code';
  const command = `code --add-mcp '${JSON.stringify({ name: 'storesight', type: 'http', url: mcpUrl })}'`;
  const text = copyable(asJson({ servers: { storesight: { type: 'http', url: mcpUrl } } }));
  return {
    where: 'computer',
    name: app,
    detail: say('guide.with-copilot'),
    steps: [
      html`<a class="button" href="${vsCodeLink(mcpUrl)}">${say('guide.add-to', { app })}</a> ${say('guide.opens', { app })}`,
      html`${around('guide.or-shell', { command: copyable(command) })}`,
      html`${around('guide.or-file', { file: html`<code>.vscode/mcp.json</code>`, text })}`,
      html`${around('guide.vs-code-start', { list: html`<b>MCP: List Servers</b>`, storesight: STORESIGHT })}`,
    ],
  };
}

function cursor(mcpUrl: string, { say, around }: Messages): ClientGuide {
  const app = 'Cursor';
  const [file, other] = [html`<code>~/.cursor/mcp.json</code>`, html`<code>.cursor/mcp.json</code>`];
  const text = copyable(asJson({ mcpServers: { storesight: { url: mcpUrl } } }));
  return {
    where: 'computer',
    name: app,
    detail: say('guide.editor'),
    steps: [
      html`<a class="button" href="${cursorLink(mcpUrl)}">${say('guide.add-to', { app })}</a> ${say('guide.opens', { app })}`,
      html`${around('guide.or-files', { file, other, text })}`,
      html`${around('guide.cursor-start', { storesight: STORESIGHT })}`,
    ],
  };
}

function inspector(mcpUrl: string, { say, around }: Messages): ClientGuide {
  const command = copyable('npx @modelcontextprotocol/inspector');
  return {
    where: 'computer',
    name: 'MCP Inspector',
    detail: say('guide.one-by-one'),
    steps: [
      html`${around('guide.inspector-run', { command })}`,
      html`${around('guide.transport', { http: html`<b>Streamable HTTP</b>`, address: copyable(mcpUrl) })}`,
      html`${around('guide.choose-connect', { connect: html`<b>Connect</b>` })}`,
    ],
  };
}

function anyOther(mcpUrl: string, { say, around }: Messages): ClientGuide {
  const text = copyable(asJson({ mcpServers: { storesight: { type: 'http', url: mcpUrl } } }));
  return {
    where: 'computer',
    name: say('guide.any-other'),
    detail: say('guide.speaks-mcp'),
    steps: [
      html`${around('guide.remote', { text })}`,
      html`${around('guide.bridge', { command: copyable(`npx mcp-remote ${mcpUrl}`) })}`,
    ],
  };
}

function asJson(settings: unknown): string {
  return JSON.stringify(settings, null, 2);
}

/** A text that one click selects. TRICKY: no white space around it, since it would be copied. */
function copyable(text: string): Html {
  return html`<pre class="copyable"><code>${text}</code></pre>`;
}
