import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import type { Caller } from '../control/callers.ts';
import { RESOURCES } from '../resources/all-resources.ts';
import { existingConditionsText } from './existing-conditions.ts';
import { CHART_URI, chartResource } from './mcp-apps.ts';
import { answerLogged, shorten } from './public-error.ts';
import type { ToolEnvironment } from './run-tool.ts';

const MIME_TYPE = 'text/markdown';

const LISTED = RESOURCES.map(({ text, ...resource }) => ({
  ...resource,
  mimeType: MIME_TYPE,
  size: Buffer.byteLength(text),
}));

/** The resource whose text ends with what exists in businesses; `?business_id=` asks of one. */
const CONDITIONS = 'segmentation://conditions';
const OF_BUSINESS = `${CONDITIONS}?business_id=`;

/**
 * How long a list may be kept that follows from data: not at all, since an import, or a right that is taken back,
 * changes it at once.
 */
const OF_NOW = { ttlMs: 0, cacheScope: 'private' } as const;

/** Texts that every caller may read, one of them with what exists in the caller's businesses; there are no templates. */
export function handleResources(
  server: Server,
  environment: ToolEnvironment,
  caller: Caller,
  log: Logger,
): void {
  server.setRequestHandler('resources/list', () => ({ resources: LISTED }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', ({ params: { uri } }, context) => {
    // Tools point to it, so it is not listed.
    if (uri === CHART_URI) return { contents: [chartResource()] };
    const business_id = uri.startsWith(OF_BUSINESS) ? uri.slice(OF_BUSINESS.length) : null;
    const resource = RESOURCES.find((one) => one.uri === (business_id === null ? uri : CONDITIONS));
    if (resource === undefined) throw new ResourceNotFoundError(shorten(uri));
    const { signal } = context.mcpReq;
    return answerLogged(
      log,
      'resource read',
      { resource: resource.uri, caller: caller.name },
      async () => {
        const isAboutData = resource.uri === CONDITIONS;
        const existing = isAboutData
          ? await existingConditionsText({ environment, caller, business_id, signal })
          : '';
        const text = existing === '' ? resource.text : `${resource.text}\n${existing}`;
        return { contents: [{ uri, mimeType: MIME_TYPE, text }], ...(isAboutData && OF_NOW) };
      },
      signal,
    );
  });
}
