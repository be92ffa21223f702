import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBusiness, listBusinesses } from '../../src/control/businesses/businesses.ts';
import { openControlDatabase } from '../../src/control/database/control-database.ts';
import { runAtOnce } from './at-once.ts';
import { ENGINES, openPlaces, type Places } from './engines.ts';

let places: Places;

beforeAll(async () => {
  places = await openPlaces();
});

afterAll(() => places[Symbol.asyncDispose]());

describe.each(ENGINES)('on %s', (engine) => {
  it('transactions of two processes that read and then write take turns', async () => {
    const place = await places.fresh(engine);
    const control = await openControlDatabase(place);
    await createBusiness(control, { name: '0' });
    await runAtOnce(2, place, 50);
    expect(await listBusinesses(control)).toMatchObject([{ name: '100' }]);
    await control.destroy();
  });
});
