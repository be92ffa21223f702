import type { LiveJob } from '../../src/live/job-kinds.ts';
import { workOnRun } from '../../src/live/work-on-job.ts';
import { workForParent } from '../../src/processes/work-for-parent.ts';
import { openInstance } from '../../src/server/instance.ts';
import { readSettings } from '../../src/server/settings.ts';
import { MadeUpShop, madeUpVendor } from './made-up-shop.ts';

/**
 * Works for a worker as `storesight jobs` does. What a shop sends does to this process what its name says.
 */
const shop = new MadeUpShop();
for (let count = 0; count < 3; count += 1) shop.add(20);
await using instance = await openInstance(readSettings(process.env));

await workForParent(async (given, job) => {
  const asked = given as LiveJob;
  if (asked.do !== 'run') throw new Error('only runs are made here');
  const { name } = asked.held.connection;
  if (name === 'stuck') for (;;);
  if (name === 'gone') process.exit(1);
  if (name === 'slow') await new Promise(() => setInterval(() => {}, 1000));
  return workOnRun(instance, [madeUpVendor(shop)], asked, job);
});
