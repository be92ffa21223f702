import { isIPv6 } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/**
 * The network address that a request came from, to count by: of IPv6 the network, since each of its users has very
 * many addresses.
 *
 * @param isBehindProxy then the proxy wrote down, as the last of `X-Forwarded-For`, whom it serves
 */
export function clientAddress(context: Context, isBehindProxy: boolean): string {
  const { incoming } = context.env as HttpBindings;
  const forwarded = isBehindProxy
    ? context.req.header('X-Forwarded-For')?.split(',').at(-1)?.trim()
    : undefined;
  return networkOf(forwarded || incoming.socket.remoteAddress || '');
}

/** The network to count by, of an address as a socket or a proxy writes it. */
export function networkOf(written: string): string {
  const address = withoutPort(written);
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const [before, after] = [head.split(':').filter(Boolean), (tail ?? '').split(':').filter(Boolean)];
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}

/** Some proxies write the port too, which is another one for each connection. */
function withoutPort(address: string): string {
  return /^(\d+(?:\.\d+){3}):\d+$/.exec(address)?.[1] ?? /^\[(.+)\](?::\d+)?$/.exec(address)?.[1] ?? address;
}
