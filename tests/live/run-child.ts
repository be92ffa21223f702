import { readFileSync } from 'node:fs';
import { turnsHere } from '../../src/live/turns-here.ts';
import { work } from '../../src/live/worker.ts';
import { openInstance } from '../../src/server/instance.ts';
import { readSettings } from '../../src/server/settings.ts';
import { MadeUpShop, madeUpVendor } from './made-up-shop.ts';

/** A worker in a process of its own, which a test can kill. The shop's story so far is in a file. */
const [story = ''] = process.argv.slice(2);
const shop = new MadeUpShop();
shop.play(JSON.parse(readFileSync(story, 'utf8')));
await using instance = await openInstance(readSettings(process.env));
console.log('working');
const log = { info: () => {}, warn: () => {}, error: () => {} };
const context = {
  ...instance,
  ...{ vendors: [madeUpVendor(shop)], log, signal: new AbortController().signal },
  limits: { seconds: 60, pendingBytes: 2 ** 30, pieceLength: 1000 },
};
await work(context, turnsHere(context), { atOnce: 1, idleMs: 20 });
