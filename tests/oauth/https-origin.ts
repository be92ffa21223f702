import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { type AddressInfo, type LookupFunction, Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { vi } from 'vitest';

const read = (name: string) => readFileSync(new URL(`certificate/${name}.pem`, import.meta.url), 'utf8');

/**
 * What connects to port 443 with its own `lookup` comes to `port` here; all other connections are as they
 * are.
 */
type Net = { host: string; port: number; lookup: LookupFunction };

export interface HttpsOrigin extends AsyncDisposable {
  readonly port: number;
  /** TCP connections that were ever made to it, on any address of this machine. */
  connections(): number;
  /** Addresses that a public name was looked up as, of connections to port 443. */
  readonly addresses: string[];
}

export const PUBLIC_ADDRESS = '93.184.216.34';

/**
 * An https server that is all of the internet: whatever is looked up as `PUBLIC_ADDRESS`, or is this machine
 * itself, is connected to it instead of port 443. Its certificate is for `app.example` and the names below.
 */
export async function openHttpsOrigin(answer: RequestListener): Promise<HttpsOrigin> {
  setDefaultCACertificates([...getCACertificates('bundled'), read('certificate')]);
  let connections = 0;
  const addresses: string[] = [];
  const server = createServer({ key: read('key'), cert: read('certificate') }, answer);
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '::', resolve));
  const { port } = server.address() as AddressInfo;
  const connect = Socket.prototype.connect;
  const spy = vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...args) {
    const [first] = args as unknown as [Net | [Net]];
    const options = Array.isArray(first) ? first[0] : first;
    if (Number(options.port) !== 443) return connect.apply(this, args as never);
    const to = (host: string) => connect.call(this, { ...options, lookup: undefined, host, port } as never);
    if (/^[\d.]+$|:/.test(options.host)) return to(options.host);
    options.lookup(options.host, { all: true }, (error, found) => {
      // Given up meanwhile, as Node sees it too.
      if (this.destroyed) return;
      if (error) return this.destroy(error);
      const [address = ''] = (Array.isArray(found) ? found : []).map((one) => one.address);
      addresses.push(address);
      return to(address === PUBLIC_ADDRESS ? '127.0.0.1' : address);
    });
    return this;
  } as typeof connect);
  return {
    port,
    addresses,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => {
      spy.mockRestore();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
