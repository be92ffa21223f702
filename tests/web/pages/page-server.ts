import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { STYLES } from '../../../src/web/pages/styles.ts';
import { PAGE_STATES, paths } from './page-states.ts';

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

export interface PageServer {
  readonly url: string;
  /** What forms sent, in order. */
  readonly posts: { readonly path: string; readonly fields: readonly (readonly [string, string])[] }[];
  close(): Promise<void>;
}

/** The states of the pages at `/<name of the state>`, with the policy that they are meant for. */
export async function servePages(): Promise<PageServer> {
  const posts: PageServer['posts'] = [];
  const pages = new Map<string, string>();
  for (const [name, page] of Object.entries(PAGE_STATES)) pages.set(`/${name}`, String(await page));
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    if (request.method === 'POST') {
      posts.push({ path, fields: [...new URLSearchParams(await text(request))] });
      response.writeHead(200, { 'Content-Type': 'text/plain' }).end('sent');
    } else if (path === paths.styles) {
      response.writeHead(200, { 'Content-Type': 'text/css; charset=utf-8' }).end(STYLES);
    } else {
      const page = pages.get(path);
      response.writeHead(page === undefined ? 404 : 200, {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': CONTENT_SECURITY_POLICY,
      });
      response.end(page);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posts,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
