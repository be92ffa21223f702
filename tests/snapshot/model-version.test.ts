import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import * as buildCode from '../../scripts/build-code.ts';
import { codeExports } from '../../scripts/code-version.ts';
import { integer, text } from '../../src/model-table/column-kinds.ts';
import {
  modelTable,
  type ParameterValues,
  parametersFrom,
  Relation,
  relation,
  StoredTable,
  workTable,
} from '../../src/model-table/model-table.ts';
import { buildOrder } from '../../src/snapshot/build/build-order.ts';
import { MODEL_TABLES } from '../../src/snapshot/build/model-tables.ts';
import { MODEL_VERSION, modelVersion, tableVersions } from '../../src/snapshot/build/model-version.ts';
import { refuseNewerModel } from '../../src/snapshot/build/newer-model.ts';
import { VERSION } from '../../src/version.ts';

it('the version is that of the package and a hash', () => {
  expect(MODEL_VERSION).toBe(modelVersion(MODEL_TABLES));
  expect(MODEL_VERSION.split('+')).toEqual([VERSION, expect.stringMatching(/^[0-9a-f]{12}$/)]);
});

const stored = new StoredTable('orders');
const otherStored = new StoredTable('profiles');

/** A small model: `paid` and `late` read `known`, `late` reads `paid`, `apart` reads neither. */
function smallModel({
  known: knownSql = `select order_id, 'a  --b' as note from ${stored}`,
  paid: paidSql = 'select order_id, note from known',
  columns = {},
}: {
  known?: string;
  paid?: string;
  columns?: object;
}) {
  const types = { order_id: 'varchar', note: 'varchar' };
  const known = workTable({ name: 'known', types, rows: new Relation(knownSql, [stored]) });
  const own = { meaning: '', scope: 'whole' as const, order: [], columns: { order_id: text, note: text } };
  const paid = modelTable({
    ...own,
    name: 'paid',
    columns: { ...own.columns, ...columns },
    rows: new Relation(paidSql, [known]),
  });
  const late = modelTable({
    ...own,
    name: 'late',
    rows: relation`select * from ${known} join ${paid} using (order_id)`,
  });
  const apart = modelTable({ ...own, name: 'apart', rows: relation`select * from ${otherStored}` });
  return [paid, late, apart];
}

function changedBy(change: Parameters<typeof smallModel>[0]): string[] {
  const [before, after] = [smallModel({}), smallModel(change)].map((tables) => {
    const versions = tableVersions(tables);
    return new Map([...versions].map(([{ name }, version]) => [name, version]));
  });
  return [...(before ?? [])].filter(([name, version]) => after?.get(name) !== version).map(([name]) => name);
}

it('another SQL of a table changes its version and that of its readers, and nothing else', () => {
  expect(changedBy({ known: `select order_id, 'a  --c' as note from ${stored}` })).toEqual([
    'known',
    'paid',
    'late',
  ]);
  expect(changedBy({ known: `select order_id, 'a --b' as note from ${stored}` })).toEqual([
    'known',
    'paid',
    'late',
  ]);
  expect(changedBy({ paid: 'select order_id, upper(note) from known' })).toEqual(['paid', 'late']);
  expect(changedBy({ columns: { note: integer } })).toEqual(['paid', 'late']);
});

it('formatting and comments do not', () => {
  const known = `
    select order_id, -- it's the note
      'a  --b' as note
    /* all of
       them */ from ${stored}`;
  expect(changedBy({ known })).toEqual([]);
});

/** The declaration again with other SQL, and all that reads it, as if its file had been changed. */
it.each(buildOrder(MODEL_TABLES).map((table) => [table.name, table] as const))(
  'one more condition in %s makes another model',
  (_name, table) => {
    const before = table.rows;
    const own = Object.getOwnPropertyDescriptor(table, 'rows') ?? {};
    const versions = tableVersions(MODEL_TABLES);
    Object.defineProperty(table, 'rows', {
      ...own,
      value: new Relation(`select * from (${before.text}) where true`, before.reads),
    });
    try {
      expect(modelVersion(MODEL_TABLES)).not.toBe(MODEL_VERSION);
      const after = tableVersions(MODEL_TABLES);
      const changed = [...versions].filter(([table, version]) => after.get(table) !== version);
      const readers = new Set([table, ...readersOf(table)]);
      expect(new Set(changed.map(([table]) => table))).toEqual(readers);
    } finally {
      Object.defineProperty(table, 'rows', own);
    }
  },
);

function readersOf(table: object): Set<object> {
  const readers = new Set([table]);
  for (const other of buildOrder(MODEL_TABLES)) {
    const asked =
      'parameters' in other ? ((other.parameters as { asks: Relation } | undefined)?.asks.reads ?? []) : [];
    if ([...other.reads, ...asked].some((read) => readers.has(read))) readers.add(other);
  }
  return readers;
}

it('knows the code of all that is not SQL (else name it in scripts/build-code.ts)', () => {
  const inCode = MODEL_TABLES.flatMap(({ parameters }) =>
    parameters === undefined ? [] : [parameters.values],
  );
  expect(inCode.length).toBeGreaterThan(0);
  for (const values of inCode) expect(Object.values(buildCode)).toContain(values);
});

it('knows all that a build does beside running the SQL of tables', async () => {
  const known = await codeExports();
  const AsyncFunction = (async () => {}).constructor;
  /** Whether it may ask or tell the session that builds. */
  const isDoing = (value: unknown) =>
    value instanceof AsyncFunction || (typeof value === 'function' && /\bsession\b/.test(String(value)));
  const doing: string[] = [];
  for (const file of globSync('src/snapshot/{build,incremental}/*.ts')) {
    const path = resolve(file);
    const exported: Record<string, unknown> = await import(path);
    const functions = Object.keys(exported).filter((name) => isDoing(exported[name]));
    expect(known.get(path) ?? [], file).toEqual(expect.arrayContaining(functions));
    doing.push(...functions);
  }
  expect(doing).toEqual(
    expect.arrayContaining(['setBusinessValues', 'setStoreValues', 'createKeys', 'updateModel']),
  );
});

it('asks for the parameters of a table are part of it', () => {
  const values: ParameterValues = () => ({});
  const asking = (asks: Relation) =>
    modelTable({
      name: 'asking',
      meaning: '',
      scope: 'whole',
      order: [],
      columns: {},
      rows: relation`select $list`,
      parameters: parametersFrom(asks, values),
    });
  const [one, other] = [relation`select 1 from ${stored}`, relation`select 2 from ${stored}`].map((asks) =>
    modelVersion([asking(asks)]),
  );
  expect(one).not.toBe(other);
});

it('a model of a newer package is refused, as numbers go, and one of the same or an older is not', () => {
  const [major, minor, patch] = VERSION.split('.').map(Number) as [number, number, number];
  for (const newer of [`${major + 10}.0.0`, `${major}.${minor + 10}.0`, `${major}.${minor}.${patch + 10}`]) {
    expect(() => refuseNewerModel(`${newer}+aaaaaaaaaaaa`)).toThrow(`newer version of Storesight`);
  }
  for (const known of [`${VERSION}+aaaaaaaaaaaa`, '0.0.10']) refuseNewerModel(known);
});
