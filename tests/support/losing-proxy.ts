import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** Passes connections on, but for the first `lost` of them, which it resets when a request has come. */
export async function startLosingProxy(
  target: string,
  lost: number,
): Promise<AsyncDisposable & { readonly address: string }> {
  const { hostname, port } = new URL(target);
  let connections = 0;
  const server = createServer((client) => {
    connections += 1;
    if (connections <= lost) return void client.once('data', () => client.resetAndDestroy());
    const upstream = connect(Number(port), hostname);
    client.pipe(upstream).pipe(client);
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.close();
    },
  };
}
