import { ResourceNotFoundError, type Server } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import type { Caller } from '../control/callers.ts';
import { RESOURCES } from '../resources/all-resources.ts';
import { answerLogged, shorten } from './public-error.ts';

const MIME_TYPE = 'text/markdown';

const LISTED = RESOURCES.map(({ text, ...resource }) => ({
  ...resource,
  mimeType: MIME_TYPE,
  size: Buffer.byteLength(text),
}));

/** Texts that every caller may read; there are no templates. */
export function handleResources(server: Server, caller: Caller, log: Logger): void {
  server.setRequestHandler('resources/list', () => ({ resources: LISTED }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [] }));
  server.setRequestHandler('resources/read', ({ params }) => {
    const resource = RESOURCES.find(({ uri }) => uri === params.uri);
    if (resource === undefined) throw new ResourceNotFoundError(shorten(params.uri));
    const { uri, text } = resource;
    return answerLogged(log, 'resource read', { resource: uri, caller: caller.name }, () => ({
      contents: [{ uri, mimeType: MIME_TYPE, text }],
    }));
  });
}
