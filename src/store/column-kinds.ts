import { momentOf } from './business-clock.ts';
import type { TextKindName } from './personal-data/text-kinds.ts';
import { trimmed } from './white-space.ts';

/**
 * The column kinds of the canonical format. Every cell arrives as text without blanks around it, whatever the
 * file was; a kind says how the text becomes the stored value and when it is wrong. The texts here are DuckDB
 * SQL over the name of a cell.
 */
export interface Column {
  readonly required: boolean;
  /** Shown when the cell does not fit: `must be …`. */
  readonly expected: string;
  /** JSON Schema of the value in NDJSON, for the published format. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  /** What is stored, usually one column of the same name. Null values mean that the cell does not fit. */
  stored(name: string, cell: CellReader): readonly StoredColumn[];
  /**
   * A cell that is no text but has the type of what is stored already, as SQL of ours makes it, has its value
   * here, without a detour by text. Kinds without it read every cell as text.
   */
  readonly ofItsType?: (cell: string) => string;
}

/**
 * What is stored in one column. A text says of which kind it is, and passes the gate for personal data as
 * such, unless it is a `hash` or a `choice` out of texts of ours: no other text can be declared.
 */
export type StoredColumn = StoredKind & {
  readonly name: string;
  readonly value: string;
  /** The value of an empty cell. */
  readonly fallback?: string;
};

type StoredKind =
  | { readonly type: 'varchar' | 'varchar[]'; readonly text: TextKindName | 'hash' | 'choice' }
  | { readonly type: ValueType; readonly text: null };

type ValueType =
  | ('bigint' | 'boolean' | 'date' | 'timestamp' | 'integer[]')
  | `decimal(${number},${number})`
  | `decimal(${number},${number})[]`
  /** A list of structs. Its texts are segments of ours, which a rule of the table checks. */
  | `struct(${string})[]`;

/** The SQL of another cell of the same row. */
type CellReader = (name: string) => string;

interface Options {
  readonly required?: boolean;
}

function column(
  options: Options,
  type: ValueType,
  expected: string,
  jsonSchema: Column['jsonSchema'],
  value: (cell: string) => string,
  fallback?: string,
): Column {
  return singleColumn(options, { type, text: null }, expected, jsonSchema, value, fallback);
}

function textColumn(
  options: Options,
  text: TextKindName | 'choice',
  expected: string,
  jsonSchema: Column['jsonSchema'],
  value: (cell: string) => string,
  fallback?: string,
): Column {
  return singleColumn(options, { type: 'varchar', text }, expected, jsonSchema, value, fallback);
}

/** A column of which one column is stored, under the same name. */
function singleColumn(
  options: Options,
  kind: StoredKind,
  expected: string,
  jsonSchema: Column['jsonSchema'],
  value: (cell: string) => string,
  fallback: string | undefined,
): Column {
  return {
    required: options.required ?? false,
    expected,
    jsonSchema,
    stored: (name, cell) => [
      { ...kind, name, value: value(cell(name)), ...(fallback === undefined ? {} : { fallback }) },
    ],
  };
}

const NUMBER = String.raw`^[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?$`;
/** No place on earth is further from UTC than 14 hours: what is more is damage, not a time zone. */
const OFFSET = '(Z|[+-](0[0-9]|1[0-3])(:?[0-5][0-9])?|[+-]14(:?00)?)';
/** A moment as nearly all systems write it. It is several times as fast to read as one of any offset. */
const UTC_MOMENT = '[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?Z';
const MOMENT = `^[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?( ?${OFFSET})?)?$`;

const text =
  (kind: TextKindName) =>
  (options: Options = {}) =>
    textColumn(options, kind, 'must be text', { type: 'string' }, (cell) => cell);

/** Texts, by what they hold: see `TEXT_KINDS`. */
export const personId = text('personId');
export const recordId = text('recordId');
export const itemId = text('itemId');
export const code = text('code');
export const name = text('name');
export const trafficName = text('trafficName');
export const label = text('label');
export const freeText = text('freeText');
export const body = text('body');
export const url = text('url');
export const path = text('path');
export const host = text('host');
export const senderAddress = text('senderAddress');

/** Money in full units, kept to four decimals. */
export const money = (options: Options = {}) =>
  column(
    options,
    'decimal(18,4)',
    'must be a decimal number with a point, in full units, below 10^13',
    { type: 'number' },
    (cell) => numericBelow(cell, 'decimal(18,4)', '1e13'),
  );

/** Money for one piece, kept to six decimals: a screw may cost 0.00125. */
export const unitMoney = (options: Options = {}) =>
  column(
    options,
    'decimal(18,6)',
    'must be a decimal number with a point, in full units, below 10^11',
    { type: 'number' },
    (cell) => numericBelow(cell, 'decimal(18,6)', '1e11'),
  );

export const quantity = (options: Options = {}) =>
  column(options, 'decimal(14,4)', 'must be a number below 10^9', { type: 'number' }, (cell) =>
    numericBelow(cell, 'decimal(14,4)', '1e9'),
  );

/** Units of the business currency for one unit of the row's currency. */
export const rate = (options: Options = {}) =>
  column(
    options,
    'decimal(24,14)',
    'must be a number greater than 0 and below 1000000',
    { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1_000_000 },
    (cell) => {
      const value = numericBelow(cell, 'decimal(24,14)', '1e6');
      return `(case when ${value} > 0 then ${value} end)`;
    },
  );

/** Units of one currency for one unit of another. A lira of 2004 took 1,800,000 for a euro. */
export const dayRate = (options: Options = {}) =>
  column(
    options,
    'decimal(24,14)',
    'must be a number greater than 0 and below 10^9',
    { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1_000_000_000 },
    (cell) => {
      const value = numericBelow(cell, 'decimal(24,14)', '1e9');
      return `(case when ${value} > 0 then ${value} end)`;
    },
  );

/** Seconds, at least 0. */
export const seconds = (options: Options & { fallback?: string } = {}) =>
  column(
    options,
    'decimal(18,4)',
    'must be a number of seconds, at least 0',
    { type: 'number', minimum: 0 },
    (cell) => `(case when ${numeric(cell, 'decimal(18,4)')} >= 0 then ${numeric(cell, 'decimal(18,4)')} end)`,
    options.fallback,
  );

export const integer = (options: Options & { fallback?: string } = {}): Column => ({
  ...column(
    options,
    'bigint',
    'must be a whole number',
    { type: 'integer' },
    // `1.0` is a whole number too: tools that know no missing integers write them so.
    (cell) =>
      `(case when regexp_full_match(${cell}, '^[+-]?[0-9]+([.]0+)?$') then try_cast(split_part(${cell}, '.', 1) as bigint) end)`,
    options.fallback,
  ),
  ofItsType: (cell) => cell,
});

/** The value lies from 0 to 100. */
export const percent = (options: Options = {}) =>
  column(
    options,
    'decimal(7,4)',
    'must be a percentage, 0 to 100',
    { type: 'number', minimum: 0, maximum: 100 },
    (cell) => {
      const value = numericBelow(cell, 'decimal(7,4)', '1e3');
      return `(case when ${value} between 0 and 100 then ${value} end)`;
    },
  );

/** A moment in UTC. Text without an offset is local time of the business. */
export const moment = (options: Options = {}): Column => ({
  ...column(
    options,
    'timestamp',
    'must be an ISO 8601 time, for example 2026-10-31T23:59:59 or 2026-10-31T23:59:59+01:00',
    { type: 'string', format: 'date-time' },
    (cell) => `(case
      when regexp_full_match(${cell}, '${UTC_MOMENT}') then try_cast(${cell} as timestamp)
      when regexp_full_match(${cell}, '${MOMENT}') then case when regexp_matches(${cell}, ':.*${OFFSET}$')
        then timezone('UTC', try_cast(${inFull(cell)} as timestamptz))
        else ${momentOf(`try_cast(${cell} as timestamp)`)}
      end end)`,
  ),
  // Text has four digits for the year.
  ofItsType: (cell) =>
    `(case when ${cell} >= timestamp '0000-01-01' and ${cell} < timestamp '10000-01-01' then ${cell} end)`,
});

/**
 * A moment with seconds, and without a blank before the offset, which DuckDB asks for.
 *
 * TRICKY: it takes a millisecond for each text that it cannot cast, so none is tried that way first.
 */
function inFull(cell: string): string {
  const withoutBlank = `regexp_replace(${cell}, ' ([Z+-])', '\\1')`;
  const rewritten = `regexp_replace(${withoutBlank}, '^(.{10}.[0-9]{2}:[0-9]{2})([Z+-])', '\\1:00\\2')`;
  const isInFull = `substring(${cell}, 17, 1) = ':' and not regexp_matches(${cell}, ' [Z+-]')`;
  return `(case when ${isInFull} then ${cell} else ${rewritten} end)`;
}

export const date = (options: Options = {}) =>
  column(
    options,
    'date',
    'must be a date, for example 2026-10-31',
    { type: 'string', format: 'date' },
    (cell) =>
      `(case when regexp_full_match(${cell}, '^[0-9]{4}-[0-9]{2}-[0-9]{2}$') then try_cast(${cell} as date) end)`,
  );

export const flag = (options: Options & { fallback?: 'true' | 'false' } = {}): Column => ({
  ...column(
    options,
    'boolean',
    'must be true or false',
    { type: 'boolean' },
    (cell) => `(case lower(${cell}) when 'true' then true when 'false' then false end)`,
    options.fallback,
  ),
  ofItsType: (cell) => cell,
});

export const oneOf = (values: readonly string[], options: Options & { fallback?: string } = {}) =>
  textColumn(
    options,
    'choice',
    `must be one of ${values.join(', ')}`,
    { enum: values },
    (cell) => `(case when ${cell} in (${values.map((value) => `'${value}'`).join(', ')}) then ${cell} end)`,
    options.fallback === undefined ? undefined : `'${options.fallback}'`,
  );

/**
 * A JSON array, or values joined with `|`; blank values are left out. A cell that starts like an array of
 * quoted texts must be JSON: the lists of other languages look much like it.
 */
export const list = (kind: TextKindName): Column => ({
  required: false,
  expected: 'must be a JSON array of texts, or values joined with |',
  jsonSchema: { type: 'array', items: { type: 'string' } },
  stored: (name, cell) => [
    {
      name,
      type: 'varchar[]',
      text: kind,
      fallback: 'cast([] as varchar[])',
      value: `list_filter(list_transform(
        coalesce(try(from_json(case when ${cell(name)} like '[%' then ${cell(name)} end, '["VARCHAR"]')),
          case when not regexp_matches(${cell(name)}, '^\\[\\s*["'']') then string_split(${cell(name)}, '|') end),
        lambda value: ${trimmed('value')}), lambda value: value <> '')`,
    },
  ],
});

const json =
  (kind: 'attributes' | 'settings') =>
  (options: Options = {}) =>
    textColumn(
      options,
      kind,
      'must be JSON',
      {},
      (cell) => `(case when json_valid(${cell}) then ${cell} end)`,
    );

/** JSON: what is known of a person, and how something is set up. */
export const attributes = json('attributes');
export const settings = json('settings');

/** Four ascending whole numbers that part five scores. */
export const wholeThresholds = (least: number) =>
  column(
    {},
    'integer[]',
    `must be a JSON array of 4 ascending whole numbers, at least ${least}`,
    { ...FOUR, items: { type: 'integer', minimum: least } },
    (cell) => {
      const numbers = fourAscending(cell);
      const isWhole = `lambda number: number = trunc(number) and number between ${least} and 1000000`;
      return `(case when len(list_filter(${numbers}, ${isWhole})) = 4 then cast(${numbers} as integer[]) end)`;
    },
  );

/** Four ascending amounts of money that part five scores. */
export const moneyThresholds = () =>
  column(
    {},
    'decimal(18,4)[]',
    'must be a JSON array of 4 ascending numbers, below 10^13',
    { ...FOUR, items: { type: 'number' } },
    (cell) => `cast(${fourAscending(cell)} as decimal(18,4)[])`,
  );

const FOUR = { type: 'array', minItems: 4, maxItems: 4 } as const;

const SCORE_LIST = { type: 'array', items: { type: 'integer', minimum: 1, maximum: 5 } } as const;

/**
 * The scores that make each segment:
 * `[{"segment": "new", "scores": [{"recency": [5], "frequency": [1]}]}, …]`.
 */
export const rfmRules = () =>
  column(
    {},
    'struct(segment varchar, scores struct(recency double[], frequency double[], monetary double[])[])[]',
    'must be a JSON array of {"segment": …, "scores": [{"recency": […], "frequency": […], "monetary": […] or null}]}',
    {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          segment: { type: 'string' },
          scores: {
            type: 'array',
            items: {
              type: 'object',
              properties: {
                recency: SCORE_LIST,
                frequency: SCORE_LIST,
                monetary: { ...SCORE_LIST, type: ['array', 'null'] },
              },
              required: ['recency', 'frequency'],
            },
          },
        },
        required: ['segment', 'scores'],
      },
    },
    (cell) => `try(from_json(${cell}, '[{"segment": "VARCHAR",
      "scores": [{"recency": ["DOUBLE"], "frequency": ["DOUBLE"], "monetary": ["DOUBLE"]}]}]'))`,
  );

/** Three letters, as in ISO 4217; stored in capitals. */
export const currency = (options: Options & { fallback?: string } = {}) =>
  textColumn(
    options,
    'choice',
    'must be an ISO 4217 currency code, for example CZK',
    { type: 'string', pattern: '^[A-Za-z]{3}$' },
    (cell) => `(case when regexp_full_match(${cell}, '^[A-Za-z]{3}$') then upper(${cell}) end)`,
    options.fallback,
  );

/**
 * An e-mail address: only its keyed hash and its domain are stored. Two addresses are the same when they are
 * equal without blanks around and without regard to case.
 */
export const email = (): Column => ({
  required: false,
  expected: 'must be text',
  jsonSchema: { type: 'string' },
  stored: (name, cell) => [
    { name: `${name}_hash`, type: 'varchar', text: 'hash', value: hashedEmail(cell(name)) },
    { name: `${name}_domain`, type: 'varchar', text: 'host', value: emailDomain(cell(name)) },
  ],
});

/**
 * A phone number: only the keyed hash of its E.164 form and its country are stored. `phone_number` and
 * `phone_country` are functions of the import session.
 */
export const phone = (): Column => ({
  required: false,
  expected: 'must be text',
  jsonSchema: { type: 'string' },
  stored: (name, cell) => [
    { name: `${name}_hash`, type: 'varchar', text: 'hash', value: hashedPhone(cell(name)) },
    {
      name: `${name}_country`,
      type: 'varchar',
      text: 'choice',
      value: `phone_country(phone_number(${cell(name)}))`,
    },
  ],
});

/** The value of an identity: hashed where the kind beside it says that it is personal. */
export const identityValue = (): Column => ({
  required: true,
  expected: 'must be text',
  jsonSchema: { type: 'string' },
  stored: (name, cell) => [
    {
      name,
      type: 'varchar',
      text: 'personId',
      value: `(case ${cell('kind')} when 'email' then ${hashedEmail(cell(name))}
        when 'phone' then ${hashedPhone(cell(name))} else ${cell(name)} end)`,
    },
  ],
});

function numeric(cell: string, type: string): string {
  return `(case when regexp_full_match(${cell}, '${NUMBER}') then try_cast(${cell} as ${type}) end)`;
}

/** Null where the text is no JSON array of four numbers, each greater than the one before. */
function fourAscending(cell: string): string {
  const numbers = `try(from_json(${cell}, '["DECIMAL(18,4)"]'))`;
  const inOrder = [1, 2, 3].map((place) => `${numbers}[${place}] < ${numbers}[${place + 1}]`);
  return `(case when len(${numbers}) = 4 and ${inOrder.join(' and ')} then ${numbers} end)`;
}

function numericBelow(cell: string, type: string, bound: string): string {
  return `(case when abs(try_cast(${cell} as double)) < ${bound} then ${numeric(cell, type)} end)`;
}

/** `keyed_hash` is a macro of the import session. What has no @ (`-`, `none`) names nobody. */
function hashedEmail(cell: string): string {
  return `keyed_hash(case when ${cell} like '%@%' then lower(${cell}) end)`;
}

/**
 * What stands behind the last @ and can be a domain: behind `<jana@example.com>` nothing else may follow it.
 * Nearly all addresses have one @ and ASCII behind it: taking a group out of a regular expression takes ten
 * times as long as that. What is neither a number nor a sign is a letter there; to look for letters takes two
 * milliseconds to plan.
 */
function emailDomain(cell: string): string {
  const domain = `regexp_extract(lower(${cell}), '.*@([\\p{L}\\p{N}_.-]+)', 1)`;
  return `(case
    when regexp_full_match(${cell}, '[^@]*@[A-Za-z0-9_.-]*[A-Za-z][A-Za-z0-9_.-]*') then lower(split_part(${cell}, '@', 2))
    when regexp_matches(${domain}, '[^\\p{N}_.-]') then ${domain} end)`;
}

/**
 * A number with fewer than five digits names nobody. Neither does `4.20777E+11`: all numbers that begin alike
 * become that in a spreadsheet.
 */
function hashedPhone(cell: string): string {
  const number = `phone_number(${cell})`;
  return `keyed_hash(case when not ${isScientific(cell)} and length(replace(${number}, '+', '')) >= 5 then ${number} end)`;
}

/** SQL: whether a spreadsheet wrote digits as `6.14E+12`, by which most of them are lost. */
export function isScientific(cell: string): string {
  return `regexp_full_match(${cell}, '[0-9]([.,][0-9]+)?[eE][+]?[0-9]+')`;
}
