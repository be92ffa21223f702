import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mapFile } from '../../src/sources/mapping/map-file.ts';
import { readMapping } from '../../src/sources/mapping/read-mapping.ts';
import { temporaryFolder } from '../ingest/staging.ts';
import { fileBy, ORDER, ordersBy } from './mapped-orders.ts';
import { refusalOf, translateFiles } from './translated.ts';

describe('a mapping is text of a stranger', () => {
  it.each([
    ['no YAML', 'name: [', 1, 'it is not YAML'],
    ['a name twice', 'name: a\nname: b', 2, 'it is not YAML'],
    ['something unknown', 'name: a\nscript: rm', 2, 'Allowed: name, title, recognise'],
    ['a bad name', `name: "x'; drop"\ntables: {}`, 1, 'small letters, digits and hyphens'],
    ['no tables', 'name: a\ntables: {}', 2, 'no table is filled'],
    ['a table that is none of ours', 'name: a\ntables:\n  order: {}', 3, 'Allowed: orders, order_items'],
    ['a column that is none', 'name: a\ntables:\n  orders:\n    sum: X', 4, 'Allowed: order_id, number'],
    ['a missing column', 'name: a\ntables:\n  orders:\n    order_id: X', 4, 'lacks ordered_at, total'],
    ['an unknown expression', ordersBy('    number: {sql: 1}'), 10, 'Allowed: text, number, date'],
    [
      'an option of another one',
      ordersBy('    number: {text: A, by: B}'),
      10,
      '"by" does not belong to "text"',
    ],
    ['no decimals', ordersBy('    tax: {number: A}'), 10, 'Allowed: decimal: comma, decimal: point'],
    ['a bad pattern', ordersBy('    cancelled_at: {date: A, pattern: "%d"}'), 10, 'Allowed: YYYY, MM'],
    ['a bad zone', ordersBy('    cancelled_at: {date: A, zone: Prag}'), 10, 'there is no timezone "Prag"'],
    ['an alias', 'name: &a b\ntables:\n  orders: *a', 3, 'orders has no names'],
    ['a tag', 'name: !!js/function x\ntables: {}', 1, 'not YAML'],
    ['a bad condition', ordersBy('    where: {A: maybe}'), 10, 'empty, filled, a list'],
    [
      'too many expressions in each other',
      ordersBy(`    tax: ${'{absolute: '.repeat(9)}A${'}'.repeat(9)}`),
      10,
      'nested too deeply',
    ],
    ['too many columns', ordersBy(`    tax: {sum: [${'A,'.repeat(600)}]}`), 10, 'too many columns'],
    [
      'a title that fits in many ways',
      ordersBy(`    number: ${'<a>'.repeat(30)}z`),
      10,
      'several parts in <…>',
    ],
    ['a condition on such a title', ordersBy(`    where: {"<a> <b>": filled}`), 10, 'several parts in <…>'],
    ['a long text', ordersBy(`    number: ${'x'.repeat(300)}`), 10, 'too long'],
  ])('refuses %s, with the line, what is allowed and an example', (_, text, line, message) => {
    expect(() => readMapping(text, 'm.yaml')).toThrow(message);
    expect(() => readMapping(text, 'm.yaml')).toThrow(new RegExp(`^m\\.yaml line ${line}: `));
  });

  it('refuses what is too large or nested without end', () => {
    expect(() => readMapping(`# ${'x'.repeat(70_000)}`, 'm.yaml')).toThrow('more than 64 KiB');
    expect(() => readMapping('['.repeat(60_000), 'm.yaml')).toThrow(/m\.yaml/);
    expect(() => readMapping('{a: '.repeat(15_000), 'm.yaml')).toThrow(/m\.yaml/);
  });

  it('never becomes SQL: names, texts and values are names and literals', async () => {
    const evil = `x'); drop table raw_our_orders; --" ]`;
    const quoted = JSON.stringify(evil);
    const mapping = `name: our-orders
recognise: [${quoted}]
empty: [${quoted}]
tables:
  orders:
    where: {${quoted}: {not: [${quoted}, "y'*"]}}
    order_id: ${quoted}
    ordered_at: {date: Day, pattern: YYYY-MM-DD, zone: UTC}
    total: {number: Total, decimal: point}
    currency: {map: Cur, values: {${quoted}: EUR}, otherwise: EUR}
    coupon_codes: {split: Cur, by: ${quoted}}
    payment_method: {constant: ${quoted}}`;
    const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
    await translateFiles(
      { 'a.csv': `${cell(evil)},Day,Total,Cur\n7,2026-01-01,10,z\n` },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('orders', 'order_id, total, currency, payment_method')).toEqual([
          ['7', 10, 'EUR', evil],
        ]);
      },
      {},
      mapping,
    );
  });

  it('has a limit for the SQL that it becomes', async () => {
    const nested = (depth: number): string =>
      depth === 0
        ? '{number: Total, decimal: point}'
        : `{sum: [${[1, 2, 3].map(() => nested(depth - 1)).join(', ')}]}`;
    expect(
      await refusalOf(fileBy('Number;Day;Total', ORDER), {}, ordersBy(`    tax: ${nested(4)}`)),
    ).toContain('use fewer columns');
  });
});

describe('source map', () => {
  it.each([
    ['    total: TODO    # required', 'line 5: "total" is still TODO, as the draft left it: complete it'],
    ['    total: {sum: [Net, TODO]}', 'line 5: "total" is still TODO'],
    [
      '    total: Total\n    status: {map: Status, values: {"Open": TODO}}',
      'line 6: the meaning of "Open" is still TODO',
    ],
    ['    total: Total\n    cancelled_at: {date: Day, pattern: TODO}', 'line 6: the pattern is still TODO'],
  ])('a draft that is used before it is complete is refused with its line: %s', (lines, says) => {
    const draft = `name: our-x\ntables:\n  orders:\n    order_id: Number\n${lines}\n    ordered_at: Day\n`;
    expect(() => readMapping(draft, 'mapping.yaml')).toThrow(new RegExp(says, 'i'));
    expect(() => readMapping(draft.replace('TODO', '"TODO"'), 'mapping.yaml')).not.toThrow(/still TODO/);
  });

  it('drafts a mapping that reads the file once its gaps are filled, and shows no value of a person', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'Objednávky 2026.csv');
    writeFileSync(
      file,
      'Číslo objednávky;Datum;Celkem;Stav;E-mail\n1;31.12.2026 23:30;1 250,50;Hotovo;ann@example.com\n2;1.2.2026 10:00;5,00;Hotovo;bob@example.com\n',
    );
    const { columns, mapping, known } = await mapFile(file, undefined);
    expect(known).toBeNull();
    expect(columns.map(({ title, looks, filled }) => [title, looks, filled])).toEqual([
      ['Číslo objednávky', 'number', 2],
      ['Datum', 'date', 2],
      ['Celkem', 'decimal comma', 2],
      ['Stav', 'text', 2],
      ['E-mail', 'e-mail', 2],
    ]);
    expect(mapping).not.toContain('ann@');
    const filled = mapping.replace('"Hotovo": TODO', '"Hotovo": fulfilled');
    await translateFiles(
      file,
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(
          await rows(
            'orders',
            'order_id, cast(ordered_at as varchar), total, currency, status, email_domain',
          ),
        ).toEqual([
          ['1', '2026-12-31 22:30:00', 1250.5, 'CZK', 'fulfilled', 'example.com'],
          ['2', '2026-02-01 09:00:00', 5, 'CZK', 'fulfilled', 'example.com'],
        ]);
      },
      { timezone: 'Europe/Prague', currency: 'CZK' },
      filled,
    );
  });

  it('says where no mapping is needed, and refuses what is no table', async () => {
    using folder = temporaryFolder();
    const file = join(folder.path, 'a.csv');
    writeFileSync(file, 'Name,Total,Created at,Lineitem name\n#1,10,x,Mug\n');
    expect((await mapFile(file, undefined)).known).toContain('Shopify orders');
    writeFileSync(file, '{"a": 1}\n');
    await expect(mapFile(file, undefined)).rejects.toThrow('no table of text');
    await expect(mapFile(join(folder.path, 'none.csv'), undefined)).rejects.toThrow('there is no file');
    expect(existsSync(join(folder.path, 'mapping.yaml'))).toBe(false);
  });
});
