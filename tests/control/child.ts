/**
 * A process of its own on a control database. It says that it is ready, waits until its input ends, and then
 * opens the database and counts in it: reads a number and writes the next one, in one transaction, as often
 * as it is told.
 */
import { once } from 'node:events';
import { openControlDatabase } from '../../src/control/database/control-database.ts';

const [place = '', times = '0'] = process.argv.slice(2);
if (place.startsWith('postgres:')) await import('../../src/control/database/open-postgres.ts');
process.stdout.write('ready\n');
process.stdin.resume();
await once(process.stdin, 'end');

const control = await openControlDatabase(place);
for (let time = 0; time < Number(times); time += 1) {
  await control.transaction().execute(async (transaction) => {
    const { name } = await transaction.selectFrom('businesses').select('name').executeTakeFirstOrThrow();
    await transaction
      .updateTable('businesses')
      .set({ name: String(Number(name) + 1) })
      .execute();
  });
}
await control.destroy();
