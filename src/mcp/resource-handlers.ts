import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { readDigest } from '../asking/digest.ts';
import type { ToolEnvironment } from '../asking/run-tool.ts';
import type { ExtensionName } from '../business/extensions.ts';
import type { Caller } from '../control/people/callers.ts';
import { RESOURCES } from '../resources/all-resources.ts';
import { existingConditionsText } from './existing-conditions.ts';
import { CHART_URI, chartResource } from './mcp-apps.ts';
import { answerLogged, shorten } from './public-error.ts';

const MIME_TYPE = 'text/markdown';

const LISTED = RESOURCES.map(({ text, ...resource }) => ({
  ...resource,
  mimeType: MIME_TYPE,
  size: Buffer.byteLength(text),
}));

/** The resource whose text ends with what exists in businesses; `?business_id=` asks of one. */
const CONDITIONS = 'segmentation://conditions';
const OF_BUSINESS = `${CONDITIONS}?business_id=`;

/** The page that `storesight digest` writes, of connections that have the tool `watch`. */
const DIGEST = 'analytics://digest?business_id=';
const DIGEST_TEMPLATE = {
  uriTemplate: `${DIGEST}{business_id}`,
  name: 'digest',
  title: 'Digest of a store',
  description: 'What was unusual in the last 7 days of the data, and what may not be quoted, as a page.',
  mimeType: MIME_TYPE,
};

/**
 * How long a list may be kept that follows from data: not at all, since an import, or a right that is taken
 * back, changes it at once.
 */
const OF_NOW = { ttlMs: 0, cacheScope: 'private' } as const;

/**
 * Texts that every caller may read, one of them with what exists in the caller's businesses; with the
 * extension `insights` the digest of a store, too.
 */
export function handleResources(
  server: Server,
  extensions: readonly ExtensionName[],
  environment: ToolEnvironment,
  caller: Caller,
  log: Logger,
): void {
  server.setRequestHandler('resources/list', () => ({ resources: LISTED }));
  const hasDigest = extensions.includes('insights');
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: hasDigest ? [DIGEST_TEMPLATE] : [],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }, context) => {
    // Tools point to it, so it is not listed.
    if (uri === CHART_URI) return { contents: [chartResource()] };
    const { signal } = context.mcpReq;
    if (hasDigest && uri.startsWith(DIGEST)) {
      const facts = { resource: 'analytics://digest', caller: caller.name };
      const asked = { business_id: uri.slice(DIGEST.length) };
      const asContents = (text: string) => ({ contents: [{ uri, mimeType: MIME_TYPE, text }], ...OF_NOW });
      return answerLogged(
        log,
        'resource read',
        facts,
        async () => asContents((await readDigest(environment, asked, caller, signal)).text),
        signal,
      );
    }
    const business_id = uri.startsWith(OF_BUSINESS) ? uri.slice(OF_BUSINESS.length) : null;
    const resource = RESOURCES.find((one) => one.uri === (business_id === null ? uri : CONDITIONS));
    if (resource === undefined) throw new ResourceNotFoundError(shorten(uri));
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
