import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { Logger } from 'pino';

/** Loopback, private networks and those of one link: where a proxy in front of this server is. */
const NEARBY = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
];

/** The proxies whose word about the address of a client counts. */
export class TrustedProxies {
  readonly #addresses: BlockList;
  readonly #isOne: boolean;

  private constructor(addresses: BlockList, isOne: boolean) {
    this.#addresses = addresses;
    this.#isOne = isOne;
  }

  /**
   * One proxy, on this machine or in its network; what stands before its own word, its client may have made
   * up.
   */
  static nearby(): TrustedProxies {
    return new TrustedProxies(readRanges(NEARBY) ?? new BlockList(), true);
  }

  /** Proxies, one behind the other, any number of them. Null when a text is not a range. */
  static listed(ranges: readonly string[]): TrustedProxies | null {
    const addresses = readRanges(ranges);
    return addresses && new TrustedProxies(addresses, false);
  }

  trusts(address: string): boolean {
    const family = isIP(address);
    return family !== 0 && this.#addresses.check(address, family === 6 ? 'ipv6' : 'ipv4');
  }

  /**
   * The address of the client. Each proxy writes behind the others whom it serves: read from the end, the
   * first address that is no proxy is the client.
   *
   * @param peer the proxy that sent this
   * @param forwarded its `X-Forwarded-For`
   */
  clientOf(peer: string, forwarded: string): string {
    let client = peer;
    for (const written of forwarded.split(',').reverse()) {
      const address = plainAddress(written.trim());
      if (isIP(address) === 0) return client;
      client = address;
      if (this.#isOne || !this.trusts(address)) return client;
    }
    return client;
  }
}

/** Addresses and ranges, as `10.0.0.5` and `10.0.0.0/8`. Null when one of them is neither. */
function readRanges(ranges: readonly string[]): BlockList | null {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits, ...more] = range.split('/');
    const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
    const most = family === 'ipv6' ? 128 : 32;
    const isRange = isIP(network) !== 0 && more.length === 0 && /^\d+$/.test(bits ?? String(most));
    if (!isRange || Number(bits) > most) return null;
    list.addSubnet(network, Number(bits ?? most), family);
  }
  return list;
}

/**
 * Reads the network address that a request came from, to count by. Only a trusted proxy is believed; anybody
 * else who writes `X-Forwarded-For` counts by their own address.
 *
 * @param proxies null: there is none
 * @param onNotBelieved told the address of somebody else who writes it
 */
export function addressOfRequest(
  { socket, headers }: IncomingMessage,
  proxies: TrustedProxies | null,
  onNotBelieved: (peer: string) => void = () => {},
): string {
  const peer = plainAddress(socket.remoteAddress ?? '');
  const forwarded = headers['x-forwarded-for'];
  if (proxies === null || forwarded === undefined) return networkOf(peer);
  if (proxies.trusts(peer)) return networkOf(proxies.clientOf(peer, String(forwarded)));
  onNotBelieved(peer);
  return networkOf(peer);
}

/** The same of what Hono has of a request, and tells once of a proxy that is not believed. */
export function addressReader(
  proxies: TrustedProxies | null,
  log: Pick<Logger, 'warn'>,
): (context: Context) => string {
  let isTold = false;
  const onNotBelieved = (peer: string) => {
    if (!isTold) log.warn({ peer }, NOT_BELIEVED);
    isTold = true;
  };
  return ({ env }) => addressOfRequest((env as HttpBindings).incoming, proxies, onNotBelieved);
}

const NOT_BELIEVED =
  'X-Forwarded-For comes from an address that is no trusted proxy, and is not believed; if it is the proxy, name it in ' +
  'STORESIGHT_TRUSTED_PROXIES. Told once';

/**
 * The network to count by, of an address as a socket or a proxy writes it: of IPv6, each user has very many
 * addresses.
 */
export function networkOf(written: string): string {
  const address = plainAddress(written);
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const [before, after] = [head.split(':').filter(Boolean), (tail ?? '').split(':').filter(Boolean)];
  const zeros = Array<string>(8 - before.length - after.length).fill('0');
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}

/**
 * The address without the port that some proxies write, which differs for each connection, without its zone,
 * and with IPv4 as such.
 */
function plainAddress(written: string): string {
  const address =
    /^(\d+(?:\.\d+){3}):\d+$/.exec(written)?.[1] ?? /^\[(.+)\](?::\d+)?$/.exec(written)?.[1] ?? written;
  return /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1] ?? address.split('%', 1)[0] ?? '';
}
