import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RepeatedNames } from '../../src/ingest/repeated-names.ts';
import { refusalOf, translateFiles } from '../sources/translated.ts';
import { runs } from '../support/runs.ts';

/**
 * A JSON value as its text is written: an object is a list of names with values, in which a name may stand
 * twice.
 */
type Json =
  | { readonly is: 'value'; readonly text: string }
  | { readonly is: 'list'; readonly items: readonly Json[] }
  | { readonly is: 'object'; readonly members: readonly (readonly [name: string, value: Json])[] };

const names = fc.constantFrom('id', 'total', 'a"b', 'a\\b', 'tot,al', '{', 'ž', 'x}');
const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small' },
    fc
      .oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null), fc.constant('"{:,}[\\'))
      .map((value): Json => ({ is: 'value', text: JSON.stringify(value) })),
    fc.array(tie('json'), { maxLength: 3 }).map((items): Json => ({ is: 'list', items })),
    fc
      .array(fc.tuple(names, tie('json')), { maxLength: 4 })
      .map((members): Json => ({ is: 'object', members })),
  ),
}));

function textOf(json: Json, name: (name: string) => string): string {
  if (json.is === 'value') return json.text;
  if (json.is === 'list') return `[${json.items.map((item) => textOf(item, name)).join(', ')}]`;
  return `{${json.members.map(([key, value]) => `${name(key)} : ${textOf(value, name)}`).join(',')}}`;
}

/** Whether a name stands twice somewhere, with values that are written in different ways. */
function repeats(json: Json): boolean {
  if (json.is === 'value') return false;
  if (json.is === 'list') return json.items.some(repeats);
  const values = new Map<string, string>();
  return json.members.some(([key, value]) => {
    const text = textOf(value, JSON.stringify);
    const isOther = (values.get(key) ?? text) !== text;
    values.set(key, text);
    return isOther || repeats(value);
  });
}

/** Each sign by its number. */
const escaped = (name: string) =>
  `"${[...name].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;

it('finds a name that stands twice wherever it does, and no other, however the bytes come', () => {
  fc.assert(
    fc.property(json, fc.integer({ min: 1, max: 9 }), fc.boolean(), (document, size, isEscaped) => {
      let times = 0;
      const written = (name: string) => {
        times += 1;
        return isEscaped && times % 2 === 0 ? escaped(name) : JSON.stringify(name);
      };
      const bytes = Buffer.from(`${textOf(document, written)}\n{"id": 1, "total": 2}\n`);
      const search = () => {
        const search = new RepeatedNames(true);
        for (let at = 0; at < bytes.length; at += size) search.write(bytes.subarray(at, at + size));
      };
      if (repeats(document)) expect(search).toThrow(/^on line 1 the name ".+" stands twice in an object/);
      else expect(search).not.toThrow();
    }),
    { numRuns: runs(300) },
  );
});

it('is not led astray by what is no JSON, and holds little of what is deep or wide', () => {
  const write = (text: string, isOneALine = true) => new RepeatedNames(isOneALine).write(Buffer.from(text));
  expect(() => write('{"a": "open\n{"a": 1}\n{"a": [}\n{"a": 1}\n')).not.toThrow();
  expect(() => write('{"a":'.repeat(100_000))).not.toThrow();
  expect(() => write(`{"a": ${'['.repeat(2000)}${']'.repeat(2000)}, "a": 1}`)).toThrow('the name "a"');
  expect(() => write(`{${Array.from({ length: 100_001 }, (_, i) => `"${i}":1`).join(',')}}`)).toThrow(
    'more than 100000 names',
  );
  expect(() => write('{"a": {"b": [1, "x"]}, "c": 2, "a": {"b" : [1,"x"]}}')).not.toThrow();
  expect(() => write('{"a": {"b": [1, "x"]}, "c": 2, "a": {"b": [1, "y"]}}')).toThrow('the name "a"');
  expect(() => write('{"a": [], "a": {}}')).toThrow('the name "a"');
  expect(() => write('{\n"a": 1,\n"b": {"a": 2},\n"a": 3}', false)).toThrow('on line 4 the name "a"');
});

const ORDER = { id: 1, created_at: '2026-01-05T10:00:00Z', financial_status: 'paid', currency: 'EUR' };
const TWICE = JSON.stringify({ ...ORDER, total_price: '10', line_items: [] }).replace(
  '"total_price":"10"',
  '"total_price":"10","total_price":"99"',
);

describe('an import of it is refused, by file and line', () => {
  it.each([
    [
      'our own NDJSON',
      'orders.ndjson',
      '{"order_id":"1","ordered_at":"2026-01-05","total":5}\n{"order_id":"2","ordered_at":"2026-01-05","total":10,"total":99}\n',
      'orders.ndjson cannot be read as ndjson: on line 2 the name "total" stands twice in an object with different values, and which of the two is meant cannot be told.',
    ],
    [
      'lines of a source',
      'orders.json',
      `${TWICE}\n`,
      'orders.json cannot be read as ndjson: on line 1 the name "total_price" stands twice',
    ],
    [
      'an answer of an API',
      'orders.json',
      `{\n"orders": [\n${TWICE}\n]}`,
      'orders.json cannot be read as ndjson: on line 3 the name "total_price" stands twice',
    ],
    [
      'something deeper in a thing',
      'orders.json',
      `${TWICE.replace('"total_price":"10",', '').replace('[]', '[{"price":"1","price":"2"}]')}\n`,
      'on line 1 the name "price" stands twice',
    ],
  ])('%s', async (_, name, text, message) => {
    expect(await refusalOf({ [name]: text })).toContain(message);
  });
});

it('a column that stands twice in an export is read once, and noted', () =>
  translateFiles(
    {
      'orders_export.csv':
        'Name,Total,Currency,Created at,Lineitem name,total\n#1,10,EUR,2026-01-05 10:00:00 +0100,Mug,99\n',
    },
    async ({ rows, sources }) => {
      expect(await rows('orders', 'total')).toEqual([[10]]);
      expect(sources[0]?.assumptions).toContain(
        'the column "Total" stands twice in orders_export.csv: the first of them is read',
      );
    },
  ));
