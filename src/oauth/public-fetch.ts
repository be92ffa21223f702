import { lookup as lookupAddress } from 'node:dns';
import { request } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Readable } from 'node:stream';

export type Fetch = typeof globalThis.fetch;

/** A document that is served in any way but this one is none. */
const READ_HEADERS = ['cache-control', 'content-type', 'expires'];

/**
 * Gets a document over https, on the default port of a public address, and follows no redirect: what a stranger names
 * must not reach what only this machine can reach. The address is judged where the connection takes it, so that a
 * name cannot mean one address when it is asked and another when it is used, and nothing is ever connected to before.
 *
 * TRICKY: not the built-in `fetch`, which cannot be told how to look up a name.
 */
export function createPublicFetch(lookup: LookupFunction = lookupAddress): Fetch {
  return async (input, options) => {
    const url = new URL(String(input));
    if (url.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '') {
      throw new Error('not https on its default port');
    }
    const address = url.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(address) !== 0 && !isPublic(address)) throw notPublic();
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const headers = { ...Object.fromEntries(new Headers(options?.headers)), 'user-agent': 'Storesight' };
    const signal = options?.signal ?? undefined;
    request(url, { headers, lookup: publicOnly(lookup), agent: false, ...(signal && { signal }) })
      .on('error', reject)
      .once('response', (answer) => {
        if (answer.statusCode === 200) {
          resolve(
            new Response(Readable.toWeb(answer) as ReadableStream, { headers: readHeaders(answer.headers) }),
          );
          return;
        }
        answer.destroy();
        reject(new Error(`answered with status ${answer.statusCode}`));
      })
      .end();
    return promise;
  };
}

function readHeaders(headers: NodeJS.Dict<string | string[]>): Headers {
  const read = new Headers();
  for (const name of READ_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') read.set(name, value);
  }
  return read;
}

/** Looks a name up as `lookup` does; an error when one of its addresses is not public. */
function publicOnly(lookup: LookupFunction): LookupFunction {
  return (hostname, options, done) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '');
      const addresses = Array.isArray(found) ? found : [];
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isPublic(address))) {
        return done(notPublic(), '');
      }
      return options.all ? done(null, addresses) : done(null, first.address, first.family);
    });
  };
}

function notPublic(): Error {
  return new Error('not a public address');
}

export function isPublic(address: string): boolean {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return false;
  return family === 6
    ? !SPECIAL_USE_IPV6.check(address, 'ipv6') && !SPECIAL_USE_IPV4.check(address, 'ipv6')
    : !SPECIAL_USE_IPV4.check(address, 'ipv4');
}

/** The ranges of IANA's special-purpose address registries (RFC 6890) that are not global, and multicast. */
const SPECIAL_USE_IPV4 = blockList('ipv4', [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]);

/** Global unicast is 2000::/3; of the rest nothing is public, also no form that carries an IPv4 address. */
const SPECIAL_USE_IPV6 = blockList('ipv6', [
  '::/3',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '4000::/2',
  '8000::/1',
]);

function blockList(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}
