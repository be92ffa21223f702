import { expect, test } from 'vitest';
import { ENGLISH } from '../../../src/messages/messages.ts';
import { describeRedirect, hostOfLink, isOnThisComputer } from '../../../src/web/pages/hosts.ts';

test.each([
  'localhost',
  'localhost:3000',
  'app.localhost',
  'LOCALHOST',
  '127.0.0.1:6274',
  '127.1.2.3',
  '[::1]',
  '[::1]:80',
])('%s is this computer', async (host) => {
  expect(isOnThisComputer(host)).toBe(true);
  expect(String(await describeRedirect(host, ENGLISH))).toContain('an app on this computer');
});

test.each([
  'localhost.example.com',
  '127.0.0.1.example.com',
  'mylocalhost',
  '10.0.0.1',
  '[::2]',
  'claude.ai',
])('%s is not', async (host) => {
  expect(isOnThisComputer(host)).toBe(false);
  expect(String(await describeRedirect(host, ENGLISH))).toBe(
    `<strong><bdi class="host">${host}</bdi></strong>`,
  );
});

test('an app with a scheme of its own is shown by its scheme', async () => {
  expect(String(await describeRedirect('cursor:', ENGLISH))).toContain('<bdi class="host">cursor:</bdi>');
});

test.each([
  ['https://shop.example/a?b', 'shop.example'],
  ['https://münchen.example', 'xn--mnchen-3ya.example'],
  ['javascript:alert(1)', null],
  ['no link', null],
  [null, null],
])('the host of %s is %s', (link, host) => {
  expect(hostOfLink(link)).toBe(host);
});
