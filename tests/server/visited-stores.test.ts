import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { VisitedStores } from '../../src/server/pages-ahead/visited-stores.ts';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storesight-visited-'));
  file = join(folder, 'visited-stores');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** A clock that goes on by one with each visit. */
function counting(from = 1): () => number {
  let at = from;
  return () => at++;
}

it('a start finds the stores that were opened last, the newest first, each once', async () => {
  const visited = VisitedStores.read(file, counting());
  for (const id of ['a', 'b', 'a', 'c']) visited.add(id);
  await visited.write();
  expect(VisitedStores.read(file).newestFirst()).toEqual(['c', 'a', 'b']);
});

it('of ten thousand stores twenty are remembered', async () => {
  const visited = VisitedStores.read(file, counting());
  for (let store = 0; store < 10_000; store += 1) visited.add(`store ${store}`);
  await visited.write();
  const read = VisitedStores.read(file).newestFirst();
  expect([read.length, read[0], read.at(-1)]).toEqual([20, 'store 9999', 'store 9980']);
});

it('two servers of one folder write what both have seen', async () => {
  const [one, other] = [VisitedStores.read(file, counting(1)), VisitedStores.read(file, counting(10))];
  one.add('of one');
  other.add('of the other');
  await other.write();
  await one.write();
  expect(VisitedStores.read(file).newestFirst()).toEqual(['of the other', 'of one']);
});

it('is written only when the order has changed', async () => {
  const visited = VisitedStores.read(file, counting());
  visited.add('a');
  await visited.write();
  await writeFile(file, 'as it is');
  visited.add('a');
  await visited.write();
  expect(await readFile(file, 'utf8')).toBe('as it is');
});

it.each(['', '[["a", 1', '{"a": 1}', '[["a", "yesterday"], 3, null]'])(
  'a file that holds %j is like none',
  async (text) => {
    await writeFile(file, text);
    expect(VisitedStores.read(file).newestFirst()).toEqual([]);
  },
);

it('a folder that takes no file leaves the visits in memory, and is not asked again for them', async () => {
  const visited = VisitedStores.read(join(folder, 'not there', 'visited-stores'), counting());
  visited.add('a');
  await expect(visited.write()).rejects.toThrow('ENOENT');
  expect(visited.newestFirst()).toEqual(['a']);
  await visited.write();
});
