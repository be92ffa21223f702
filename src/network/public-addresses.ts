import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Looks a name up as `lookup` does; an error when one of its addresses is not public. */
export function publicOnly(lookup: LookupFunction): LookupFunction {
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

/** A connection takes an address as it stands in a URL without looking it up. */
export function refusePrivate(url: URL): void {
  const address = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0 && !isPublic(address)) throw notPublic();
}

/** The message of it, by which a caller knows why. */
export const NOT_PUBLIC = 'not a public address';

function notPublic(): Error {
  return new Error(NOT_PUBLIC);
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
