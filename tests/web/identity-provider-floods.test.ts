import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { IdentityProvider } from '../../src/web/identity-provider.ts';

/** A provider, or somebody in its place, that answers with more than anybody needs. */

const MEBIBYTE = 2 ** 20;

async function beginAt(answer: RequestListener): Promise<{ failure: string; sent: number; asked: string[] }> {
  const asked: string[] = [];
  let sent = 0;
  const server = createServer((request, response) => {
    asked.push(String(request.url));
    const { socket } = request;
    socket.on('error', () => {});
    socket.on('close', () => {
      sent += socket.bytesWritten;
    });
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  const provider = new IdentityProvider({
    ...{ issuer, clientId: 'storesight', clientSecret: 'a secret', trustsEmail: false },
    ...{ redirectUri: 'http://127.0.0.1:9/sign-in/provider/return', secret: randomBytes(32) },
  });
  const failure = await provider.begin('/connections').then(
    () => 'none',
    (error: { failure?: string }) => error.failure ?? String(error),
  );
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  return { failure, sent, asked };
}

describe('metadata', () => {
  it('metadata without an end is read no further than what fits', async () => {
    const { failure, sent } = await beginAt((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const piece = `{"issuer":"${'x'.repeat(MEBIBYTE)}`;
      const write = () => {
        while (!response.destroyed && response.write(piece));
      };
      response.on('drain', write);
      write();
    });
    expect(failure).toBe('no-provider');
    expect(sent).toBeLessThan(32 * MEBIBYTE);
  });

  it('that is small while it is packed is left as well', async () => {
    const packed = gzipSync(Buffer.alloc(256 * MEBIBYTE, ' '));
    const before = process.memoryUsage.rss();
    const { failure } = await beginAt((_, response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(packed),
    );
    expect(failure).toBe('no-provider');
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * MEBIBYTE);
  });

  it('that redirects is none, and nothing else is asked', async () => {
    const { failure, asked } = await beginAt((_, response) =>
      response.writeHead(302, { location: '/elsewhere' }).end(),
    );
    expect(failure).toBe('no-provider');
    expect(asked).toEqual(['/.well-known/openid-configuration']);
  });

  it.each(['javascript:alert(1)', 'data:text/html,hello', 'file:///etc/passwd'])(
    'sends no browser to %s',
    async (address) => {
      const { failure } = await beginAt((request, response) => {
        const issuer = `http://${request.headers.host}`;
        const metadata = { issuer, authorization_endpoint: address, token_endpoint: `${issuer}/token` };
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(metadata));
      });
      expect(failure).toBe('no-provider');
    },
  );
});
