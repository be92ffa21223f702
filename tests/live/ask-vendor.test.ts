import { expect, it } from 'vitest';
import type { Access } from '../../src/live/vendor.ts';
import { ask } from '../../src/live/vendors/ask-vendor.ts';

const NOW = new Date('2026-11-22T12:00:00Z');

it.each([
  ['3600', '2026-11-22T13:00:00.000Z'],
  ['Sun, 22 Nov 2026 12:30:00 GMT', '2026-11-22T12:30:00.000Z'],
  ['999999999', '2026-11-23T12:00:00.000Z'],
  ['99999999999999999999', '2026-11-23T12:00:00.000Z'],
  ['9'.repeat(400), '2026-11-23T12:00:00.000Z'],
  ['Fri, 31 Dec 9999 23:59:59 GMT', '2026-11-23T12:00:00.000Z'],
])(
  'a vendor that has no more for us says when to come again, and never later than a run does (%#)',
  async (said, until) => {
    const access = {
      ...{ now: () => NOW, signal: new AbortController().signal, sleep: async () => {} },
      fetch: async () => new Response('{}', { status: 429, headers: { 'retry-after': said } }),
    } as unknown as Access;
    const asking = ask(access, { title: 'Shop', request: () => new Request('https://example.com') });
    await expect(asking).rejects.toMatchObject({ state: 'quota', retryAt: new Date(until) });
  },
);
