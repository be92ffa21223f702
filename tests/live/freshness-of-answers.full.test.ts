import { expect, it } from 'vitest';
import { startReadSite } from './read-site.ts';

/** What we promise of live answers: the seconds from an order to an answer that has it. */
const PROMISED_SECONDS = 60;

it('an order of which the shop sends a webhook is in the answers within a minute', async () => {
  await using site = await startReadSite(60);
  // The first run has only just ended, after which a webhook waits for longest.
  expect(await site.addOrder(true)).toBeLessThan(PROMISED_SECONDS);
});

it('an order of which nobody tells is in the answers a minute after the interval at the latest', async () => {
  await using site = await startReadSite(1);
  expect(await site.addOrder(false)).toBeLessThan(60 + PROMISED_SECONDS);
});
