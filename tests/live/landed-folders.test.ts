import { access, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Business } from '../../src/business/business.ts';
import {
  type Held,
  readPlaces,
  recordImported,
  releaseLease,
  takeConnection,
} from '../../src/control/connections/connection-leases.ts';
import {
  type Connection,
  createConnection,
  listConnections,
  MOST_CONNECTIONS,
  readConnection,
} from '../../src/control/connections/connections.ts';
import { disconnect, removeLeftovers } from '../../src/live/disconnect.ts';
import { LandedFiles } from '../../src/live/landing/landed-files.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

let test: TestInstance;
let business: Business;
let connection: Connection;

const made = (name: string) =>
  createConnection(test.instance.control, test.instance.secret, {
    ...{ business_id: business.business_id, name, vendor: 'url', account: null },
    ...{ settings: {}, secrets: {}, interval_s: 900 },
  });

const folderOf = ({ business_id, connection_id }: Connection) =>
  test.instance.data.landed(business_id, connection_id);

async function held(): Promise<Held> {
  const taken = await takeConnection(test.instance.control, connection.connection_id);
  if (taken === null) throw new Error('somebody holds it');
  return taken;
}

beforeEach(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  business = await test.createBusiness({ currency: 'EUR', timezone: 'UTC' });
  connection = await made('one');
});

afterEach(() => test[Symbol.asyncDispose]());

it('a connection that is being read is not removed: its run would write files that nobody finds', async () => {
  const { control } = test.instance;
  const run = await held();
  await mkdir(join(folderOf(connection), 'download'), { recursive: true });
  await expect(disconnect(test.instance, connection)).rejects.toThrow('is being read');
  expect(await readConnection(control, connection.connection_id)).not.toBeNull();
  expect(await readdir(folderOf(connection))).toEqual(['download']);
  await releaseLease(control, run);
  await disconnect(test.instance, connection);
  expect(await readConnection(control, connection.connection_id)).toBeNull();
  await expect(access(folderOf(connection))).rejects.toThrow('ENOENT');
});

it('the remains of a removed connection are removed later, with the persons in them, and nothing else', async () => {
  const gone = { ...connection, connection_id: '00000000-0000-4000-8000-000000000001' };
  const ofOtherDatabase = { ...gone, business_id: '00000000-0000-4000-8000-000000000002' };
  for (const each of [connection, gone, ofOtherDatabase]) {
    await mkdir(join(folderOf(each), 'download'), { recursive: true });
    await writeFile(join(folderOf(each), 'download', 'file.csv'), 'planted');
  }
  expect(await removeLeftovers(test.instance)).toBe(1);
  await expect(access(folderOf(gone))).rejects.toThrow('ENOENT');
  await access(folderOf(connection));
  await access(folderOf(ofOtherDatabase));
});

it('files that an older control database lists and that are gone are read anew where they were not imported', async () => {
  const { control } = test.instance;
  const run = await held();
  const files = await LandedFiles.open(test.instance, run);
  const land = (stream: string, landing: Parameters<LandedFiles['land']>[1]) =>
    files.land({ stream, place: '"here"', complete_until: null }, landing);
  await land('imported', { rows: [{ id: 1 }] });
  await recordImported(control, run, [1]);
  await land('pending', { rows: [{ id: 2 }] });
  await land('kept', { rows: [{ id: 3 }] });
  await land('order-ids', { listed: ['3'] });
  const listed = await files.list();
  for (const file of listed) if (file.stream !== 'kept') await rm(files.path(file));
  const again = await LandedFiles.open(test.instance, run);
  expect((await again.list()).map(({ stream }) => stream)).toEqual(['kept']);
  expect((await readPlaces(control, run)).map(({ stream }) => stream).toSorted()).toEqual([
    'imported',
    'kept',
  ]);
  expect(await again.removeRows(() => false)).toBe(0);
});

it('connections of a store are twenty at most, however many are made at once', async () => {
  const { control } = test.instance;
  const making = Array.from({ length: MOST_CONNECTIONS + 3 }, (_, number) => made(`many-${number}`));
  const results = await Promise.allSettled(making);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(4);
  expect(await listConnections(control, business.business_id)).toHaveLength(MOST_CONNECTIONS);
});
