import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ENGLISH } from '../../../src/messages/messages.ts';
import { connectPage } from '../../../src/web/pages/connect.ts';
import { cursorLink, vsCodeLink } from '../../../src/web/pages/install-links.ts';
import { pagePaths } from '../../../src/web/paths.ts';

/** Characters that mean something in a URL, in JSON and in HTML. */
const MCP_URL = 'https://shop.example.com/mcp?groups=orders,email&extensions=insights"<+';

/** What VS Code reads of its link. */
function readByVsCode(link: string): unknown {
  expect(link).toMatch(/^vscode:mcp\/install\?/);
  return JSON.parse(decodeURIComponent(link.slice(link.indexOf('?') + 1)));
}

/** What Cursor reads of its link. */
function readByCursor(link: string): unknown {
  const { protocol, host, pathname, searchParams } = new URL(link);
  expect({ protocol, host, pathname }).toEqual({
    protocol: 'cursor:',
    host: 'anysphere.cursor-deeplink',
    pathname: '/mcp/install',
  });
  return {
    name: searchParams.get('name'),
    ...JSON.parse(Buffer.from(searchParams.get('config') ?? '', 'base64').toString()),
  };
}

it('say to each app what its settings file would say', () => {
  expect(readByVsCode(vsCodeLink(MCP_URL))).toEqual({ name: 'storesight', type: 'http', url: MCP_URL });
  expect(readByCursor(cursorLink(MCP_URL))).toEqual({ name: 'storesight', url: MCP_URL });
});

it('are on the page for people who are signed in, whole', async () => {
  const page = String(
    await connectPage({
      paths: pagePaths(''),
      account: { email: 'ada@example.com' },
      mcpUrl: MCP_URL,
      messages: ENGLISH,
    }),
  );
  const links = [...page.matchAll(/href="((?:vscode|cursor):[^"]*)"/g)].map(([, link = '']) =>
    link.replaceAll('&amp;', '&'),
  );
  expect(links).toEqual([vsCodeLink(MCP_URL), cursorLink(MCP_URL)]);
});

it('are in README for the usual address; GitHub lets through only https, so both apps have a page that leads on', () => {
  const readme = readFileSync('README.md', 'utf8');
  const address = 'http://127.0.0.1:8787/mcp';
  const [, vsCode = ''] = /\[VS Code\]\((\S+)\)/.exec(readme) ?? [];
  expect(new URL(vsCode).searchParams.get('url')).toBe(vsCodeLink(address));
  const [, cursor = ''] = /\[Cursor\]\((\S+)\)/.exec(readme) ?? [];
  expect(new URL(cursor).search).toBe(new URL(cursorLink(address)).search);
});
