import { CLIENT_CAPABILITIES_META_KEY, type ServerContext } from '@modelcontextprotocol/server';
import type { Tool } from '../answers/tool.ts';
import { CATALOGUE } from '../catalogue.ts';
import { chartPage } from '../charts/chart-page.ts';
import { describeCharts } from '../charts/described-chart.ts';

/**
 * Pictures in the conversation: the extension MCP Apps, revision 2026-01-26. Whoever did not negotiate it
 * sees nothing of it (docs/decisions/0131-charts-in-the-conversation.md).
 */

const EXTENSION = 'io.modelcontextprotocol/ui';
const PAGE_TYPE = 'text/html;profile=mcp-app';
export const CHART_URI = 'ui://storesight/chart.html';

/** What a server says that has such pages; the extension has no settings for servers. */
export const APPS_CAPABILITY = { [EXTENSION]: {} };

/** Whether a client with these capabilities shows pages beside answers. */
export function showsPages(capabilities: unknown): boolean {
  const { extensions } = Object(capabilities) as { extensions?: Readonly<Record<string, unknown>> };
  const { mimeTypes } = Object(extensions?.[EXTENSION]) as { mimeTypes?: unknown };
  return Array.isArray(mimeTypes) && mimeTypes.includes(PAGE_TYPE);
}

/** The capabilities that a request or a handshake tells, as JSON that nobody has checked. */
export function clientCapabilities(message: unknown): unknown {
  const { method, params } = Object(message) as { method?: unknown; params?: unknown };
  const { capabilities, _meta } = Object(params) as { capabilities?: unknown; _meta?: unknown };
  return method === 'initialize' ? capabilities : Object(_meta)[CLIENT_CAPABILITIES_META_KEY];
}

/**
 * What was negotiated. A request of this revision tells it itself; before that revision, the handshake of the
 * connection told it.
 */
export function negotiatedBy({ mcpReq }: ServerContext, ofHandshake: unknown): boolean {
  const told = (mcpReq.envelope as Readonly<Record<string, unknown>> | undefined)?.[
    CLIENT_CAPABILITIES_META_KEY
  ];
  return showsPages(told ?? ofHandshake);
}

/** What the metadata of a listed tool say when its answers have a picture. */
export function pictureOf(tool: Tool): Readonly<Record<string, unknown>> | null {
  return tool.chart === undefined ? null : { ui: { resourceUri: CHART_URI } };
}

let page: string | undefined;

/**
 * The one page, as `resources/read` gives it. It loads nothing, so it asks hosts for no exception from their
 * policy.
 */
export function chartResource() {
  page ??= chartPage(CATALOGUE.flatMap((tool) => describeCharts(tool) ?? []));
  return {
    uri: CHART_URI,
    mimeType: PAGE_TYPE,
    text: page,
    _meta: { ui: { prefersBorder: true, permissions: { clipboardWrite: {} } } },
  };
}
