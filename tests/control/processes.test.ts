import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBusiness, listBusinesses } from '../../src/control/businesses.ts';
import { openControlDatabase } from '../../src/control/database.ts';
import { ENGINES, openPlaces, type Places } from './engines.ts';
import { readSchema } from './schema.ts';

let places: Places;

beforeAll(async () => {
  places = await openPlaces();
});

afterAll(() => places[Symbol.asyncDispose]());

const CHILD = fileURLToPath(new URL('child.ts', import.meta.url));

/** Starts so many processes on the database and lets them all go at the same moment. */
async function runAtOnce(processes: number, place: string, times: number): Promise<void> {
  const children = Array.from({ length: processes }, () =>
    spawn(process.execPath, ['--disable-warning=ExperimentalWarning', CHILD, place, String(times)]),
  );
  const ends = children.map(async (child) => {
    const [errors, [status]] = await Promise.all([text(child.stderr), once(child, 'close')]);
    return { errors, status };
  });
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  for (const child of children) child.stdin.end();
  for (const end of await Promise.all(ends)) expect(end).toEqual({ errors: '', status: 0 });
}

describe.each(ENGINES)('on %s', (engine) => {
  it('many first starts at once end with one schema', async () => {
    const [alone, together] = [await places.fresh(engine), await places.fresh(engine)];
    await (await openControlDatabase(alone)).destroy();
    await runAtOnce(8, together, 0);
    expect(await readSchema(places.postgres, together)).toEqual(await readSchema(places.postgres, alone));
  });

  it('transactions of several processes that read and then write take turns', async () => {
    const place = await places.fresh(engine);
    const control = await openControlDatabase(place);
    await createBusiness(control, { name: '0' });
    await runAtOnce(4, place, 50);
    expect(await listBusinesses(control)).toMatchObject([{ name: '200' }]);
    await control.destroy();
  });
});
