import { afterAll, beforeAll, expect, it } from 'vitest';
import { createBusiness } from '../../src/control/businesses/businesses.ts';
import { createConnection } from '../../src/control/connections/connections.ts';
import { rememberAnswers, rememberedAnswers } from '../../src/control/connections/remembered-answers.ts';
import { openControlDatabase } from '../../src/control/database/control-database.ts';
import { ENGINES, openPlaces, type Places } from './engines.ts';

let places: Places;

beforeAll(async () => {
  places = await openPlaces();
});

afterAll(() => places[Symbol.asyncDispose]());

it.each(ENGINES)('%s: answers that are taken at once are all kept', async (engine) => {
  const place = await places.fresh(engine);
  // Two handles on one SQLite file in one process wait for each other for ever: it has no threads.
  const servers = [await openControlDatabase(place)];
  if (engine === 'PostgreSQL') servers.push(await openControlDatabase(place));
  const [control] = servers;
  if (control === undefined) throw new Error('there is one');
  const { business_id } = await createBusiness(control, { name: 'Shop' });
  const { connection_id } = await createConnection(control, Buffer.alloc(32, 7), {
    ...{ business_id, name: 'made-up', vendor: 'made-up', account: null },
    ...{ settings: {}, secrets: {}, interval_s: 900 },
  });
  const said = Array.from({ length: 8 }, (_, index) => [`question-${index}`, `answer ${index}`] as const);
  await Promise.all(
    said.map(([question, answer], index) =>
      rememberAnswers(servers[index % servers.length] ?? control, connection_id, { [question]: answer }),
    ),
  );
  expect(await rememberedAnswers(control, connection_id)).toEqual(Object.fromEntries(said));
  for (const server of servers) await server.destroy();
});
