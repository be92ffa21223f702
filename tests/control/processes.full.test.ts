import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBusiness, listBusinesses } from '../../src/control/businesses/businesses.ts';
import { openControlDatabase } from '../../src/control/database/control-database.ts';
import { runAtOnce } from './at-once.ts';
import { ENGINES, openPlaces, type Places } from './engines.ts';
import { readSchema } from './schema.ts';

let places: Places;

beforeAll(async () => {
  places = await openPlaces();
});

afterAll(() => places[Symbol.asyncDispose]());

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
