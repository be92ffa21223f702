import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Passes requests on as they are, with a token: the conformance suite can send none. */
export async function startBearerProxy(
  target: string,
  token: string,
): Promise<AsyncDisposable & { readonly url: string }> {
  const { hostname, port, pathname } = new URL(target);
  const server = createServer((asked, answer) => {
    const { method, url: path, rawHeaders } = asked;
    const headers = [...rawHeaders, 'Authorization', `Bearer ${token}`];
    const passed = request({ hostname, port, method, path, headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 502, reply.rawHeaders);
      reply.pipe(answer);
    });
    passed.on('error', () => answer.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
