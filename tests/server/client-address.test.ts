import { describe, expect, it } from 'vitest';
import { networkOf, TrustedProxies } from '../../src/server/client-address.ts';

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:50123', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:1:2:ffff::1', '2001:db8:1:2'],
  ['[2001:db8:1:2::9]:50123', '2001:db8:1:2'],
  ['[2001:db8:1:2::9]', '2001:db8:1:2'],
  ['2001:db8::', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['unknown', 'unknown'],
  ['', ''],
])('%s is counted as %s', (written, network) => {
  expect(networkOf(written)).toBe(network);
});

describe('the client that a proxy tells of', () => {
  it.each([
    ['10.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['10.0.0.1', '203.0.113.9, 198.51.100.1', '198.51.100.1'],
    ['10.0.0.1', '203.0.113.9, 10.0.0.7', '10.0.0.7'],
    ['10.0.0.1', '203.0.113.9, unknown', '10.0.0.1'],
    ['::1', '203.0.113.9,[2001:db8::1]:443', '2001:db8::1'],
    ['10.0.0.1', '', '10.0.0.1'],
  ])('near to us is its last word: %s says %j', (peer, forwarded, client) => {
    expect(TrustedProxies.nearby().clientOf(peer, forwarded)).toBe(client);
  });

  it.each([
    ['198.51.100.1, 203.0.113.9, 10.0.0.7', '203.0.113.9'],
    ['192.0.2.1, 203.0.113.7, 10.0.0.7', '192.0.2.1'],
    ['10.0.0.8, 10.0.0.7', '10.0.0.8'],
    ['198.51.100.1, 203.0.113.9, no address, 10.0.0.7', '10.0.0.7'],
    ['::ffff:198.51.100.1, ::ffff:10.0.0.7', '198.51.100.1'],
  ])('is the last one that is not listed: %j', (forwarded, client) => {
    const proxies = TrustedProxies.listed(['10.0.0.0/8', '203.0.113.7']);
    expect(proxies?.clientOf('10.0.0.1', forwarded)).toBe(client);
  });

  it('is believed from these alone', () => {
    const nearby = TrustedProxies.nearby();
    for (const address of ['127.0.0.1', '10.1.2.3', '172.31.0.1', '192.168.1.1', '::1', 'fd00::1']) {
      expect(nearby.trusts(address), address).toBe(true);
    }
    for (const address of ['203.0.113.7', '172.32.0.1', '11.0.0.1', '2001:db8::1', '', 'localhost']) {
      expect(nearby.trusts(address), address).toBe(false);
    }
    const listed = TrustedProxies.listed(['203.0.113.7', '2001:db8::/32']);
    expect(listed?.trusts('203.0.113.7')).toBe(true);
    expect(listed?.trusts('203.0.113.8')).toBe(false);
    expect(listed?.trusts('2001:db8:1::1')).toBe(true);
    expect(listed?.trusts('10.0.0.1')).toBe(false);
  });

  it.each([
    '10.0.0.0/33',
    '10.0.0/8',
    'proxy.example.com',
    '2001:db8::/129',
    '10.0.0.1/',
    '10.0.0.1/8/8',
    '1/',
  ])('is not read from %j', (range) => {
    expect(TrustedProxies.listed([range])).toBeNull();
  });
});
