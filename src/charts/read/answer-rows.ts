import type { Label } from '../../answers/chart.ts';
import type { PlainKey } from '../../messages/catalogue.ts';
import { weekdayName } from '../dates.ts';
import type { DescribedField, Sort } from '../described-chart.ts';

import { type DrawnStore, wordsFor } from '../drawn-store.ts';

import { keyInWords, singular, wordsOf } from '../field-words.ts';
import type { Cut, Doubt, Value } from '../figure.ts';
import { formatBare, formatNumber, formatShort } from '../number-format.ts';
import { type Asked, sortOf } from './asked-question.ts';

type Json = Readonly<Record<string, unknown>>;

export interface Row {
  readonly row: Json;
  /** The place of the row in the answer, with a dot at the end: `periods.3.` */
  readonly at: string;
}

/** The rows that a chart draws; empty if the answer has none. */
export function rowsAt({ answer }: Pick<Asked, 'answer'>, path: string): readonly Row[] {
  const known = read.get(answer) ?? new Map<string, Row[]>();
  read.set(answer, known);
  const rows = known.get(path) ?? rowsUnder(answer, path);
  known.set(path, rows);
  return rows;
}

/**
 * Remembered by answer, since several parts of a picture read the same thousands of rows, and nobody changes
 * an answer.
 */
const read = new WeakMap<Json, Map<string, Row[]>>();

function rowsUnder(answer: Json, path: string): Row[] {
  if (path === '') return [{ row: answer, at: '' }];
  const found = path
    .split('.')
    .reduce<unknown>((value, key) => (isObject(value) ? value[key] : null), answer);
  return rowsIn(found, path);
}

export function rowsIn(found: unknown, path: string): Row[] {
  if (Array.isArray(found)) {
    return found.flatMap((row, index) => (isObject(row) ? [{ row, at: `${path}.${index}.` }] : []));
  }
  return isObject(found) ? [{ row: found, at: `${path}.` }] : [];
}

/**
 * The rows that a picture leaves out, whether the answer has them or a limit left them out.
 *
 * @param what the name of the panel, for pictures with several
 * @param drawable the rows of the answer that have the drawn value
 * @param by what put the drawn rows first; unknown for rows beyond a limit, unless the answer was sorted
 */
export function cutOf(
  asked: Asked,
  path: string,
  what: string,
  { drawn, drawable = drawn, by = null }: { drawn: number; drawable?: number; by?: string | null },
): Cut | null {
  const { total_count } = asked.answer;
  const isTotal = path === asked.described.list && typeof total_count === 'number';
  const leftOut = isTotal ? Math.max(0, total_count - rowsAt(asked, path).length) : 0;
  const of = drawable + leftOut;
  const isKnown = leftOut === 0 || sortOf(asked, path) !== null;
  return of > drawn ? { what, drawn, of, by: isKnown ? by : null } : null;
}

/** The rows of a sorted answer that does not say how many its limit leaves out. */
export function pageOf(asked: Asked): { readonly rows: number; readonly sort: Sort } | null {
  const { list } = asked.described;
  const sort = sortOf(asked, list);
  if (sort === null || list === null || 'total_count' in asked.answer) return null;
  const { length } = rowsAt(asked, list);
  return length < 2 ? null : { rows: length, sort };
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldAt({ described }: Asked, rows: string, key: string): DescribedField {
  return described.fields[rows === '' ? key : `${rows}.${key}`] ?? {};
}

/** The unit of a value; if it depends on the metric asked for, that metric's unit. */
export function unitAt(asked: Asked, rows: string, key: string): string | undefined {
  const { unit } = fieldAt(asked, rows, key);
  if (unit !== 'as metric') return unit;
  const metric = metricOf(asked);
  const ofMetric = metric === null ? undefined : fieldAt(asked, rows, metric).unit;
  return ofMetric === 'percent' && key.startsWith('difference') ? 'percentage points' : ofMetric;
}

export function metricOf({ answer }: Asked): string | null {
  return typeof answer.metric === 'string' ? answer.metric : null;
}

/** A rate of fewer than this many is drawn hollow. */
export const FEW = 30;
/**
 * So is a rate that fewer than this many make: one complaint of 9,000 messages is the longest bar if others
 * have none.
 */
export const FEW_PARTS = 5;

/** Values that are counted only where they were recorded. */
export const RECORDED = {
  sessions: 'picture.recorded-sessions',
  visitors: 'picture.recorded-visitors',
} as const satisfies Readonly<Record<string, PlainKey>>;

const NOTHING = 'nothing to divide by';

/** The word by which fields say that a null is a hidden number. */
const HIDDEN = 'hidden';

/**
 * A number of a row, or of an object in it. Null: the answer was asked without this field.
 *
 * @param times the field that says how often the hour or day of the row is in the range
 */
export function valueAt(
  asked: Asked,
  rows: string,
  { row, at }: Row,
  key: string,
  times?: string,
): Value | null {
  const value = key in row ? row[key] : insideOf(row, key);
  const place = `${at}${key}`;
  // A zero means nothing if the data are not loaded.
  if (value === 0 && asked.answer.data_until === null)
    return noValue(place, wordsFor(asked.store).say('picture.not-yet'));
  if (value === 0 && isOfNothing(fieldAt(asked, rows, key), row))
    return noValue(place, nothingOf(asked, rows, row, key));
  if (typeof value === 'number' && Number.isFinite(value))
    return new NumberOfRow(place, value, { asked, rows, row, key, times });
  if (value !== null) return null;
  return noValue(place, whyNull(asked, rows, row, key));
}

/** Some tools say 0 for a rate or mean of nothing, such as the average order of a month without orders. */
function isOfNothing({ of, per }: DescribedField, row: Json): boolean {
  const base = of ?? per;
  return base !== undefined && row[base] === 0;
}

/**
 * The reason for a null. Some numbers have others than “hidden”: a rate of nothing has nothing to divide by.
 */
function whyNull(asked: Asked, rows: string, row: Json, key: string): string {
  const { language, say } = wordsFor(asked.store);
  if (row.is_hidden === true) return say('picture.hidden');
  const { null: why = say('picture.unknown'), of } = fieldAt(asked, rows, key);
  const other = why.replace(new RegExp(`(, or )?${HIDDEN}$`), '');
  const isOther = other !== '' && (other === why || (of !== undefined && row[of] === 0));
  if (!isOther) return say('picture.hidden');
  if (other === NOTHING) return nothingOf(asked, rows, row, key);
  // The reasons of tools are English.
  return language === 'en' ? other : say('picture.unknown');
}

/**
 * The reason why a rate has nothing to divide by: for a click rate of a month without messages, “no
 * messages”.
 */
function nothingOf(asked: Asked, rows: string, row: Json, key: string): string {
  const { of: whole, per } = fieldAt(asked, rows, key);
  const of = whole ?? per;
  const { language, say } = wordsFor(asked.store);
  if (of === undefined || row[of] !== 0)
    return language === 'en' ? 'nothing to measure' : say('picture.unknown');
  return say('picture.none-of', { unit: unitName(partsWord(asked, rows, of) ?? wordsOf(of), asked.store) });
}

/** The unit of a whole's parts, such as visitors; null for money, which counts nothing. */
function partsWord(asked: Asked, rows: string, of: string): string | null {
  const unit = unitAt(asked, rows, of);
  return unit === undefined || unit === 'money' || unit === 'cents' ? null : unit;
}

/** “1 order”, “1,234 orders”. */
function countText(count: string, number: number, unit: string, store: DrawnStore): string {
  const { language, say } = wordsFor(store);
  const isOne = number === 1 && language === 'en';
  return say('picture.count', { count, unit: isOne ? singular(unit) : unitName(unit, store) });
}

const UNIT_NAMES: Readonly<Record<string, PlainKey & `picture.unit.${string}`>> = {
  orders: 'picture.unit.orders',
  customers: 'picture.unit.customers',
  sessions: 'picture.unit.sessions',
  visitors: 'picture.unit.visitors',
};

/** Numbers of pages have few units, which are translated; others are English, as the names of fields are. */
function unitName(unit: string, store: DrawnStore): string {
  const key = UNIT_NAMES[unit];
  return key === undefined ? unit : wordsFor(store).say(key);
}

/** The number of days behind a row: 324 orders on 13 Mondays are more than on 14. */
function timesAt({ store }: Asked, row: Json, key: string | undefined): string {
  const times = key === undefined ? undefined : row[key];
  return typeof times === 'number' ? ` in ${formatNumber(times, undefined, store)} of them together` : '';
}

/** The value at a path such as `lift.incremental_orders`; null if there is no lift. */
function insideOf(row: Json, key: string): unknown {
  const [object = '', inner = ''] = key.split('.');
  const found = row[object];
  return isObject(found) ? found[inner] : found === null ? null : undefined;
}

export function numberValue(at: string, value: number, unit: string | undefined, store: DrawnStore): Value {
  const text = formatNumber(value, unit, store);
  return { at, value, text, short: formatShort(value, unit, store) ?? text };
}

interface Told {
  readonly asked: Asked;
  readonly rows: string;
  readonly row: Json;
  readonly key: string;
  readonly times: string | undefined;
}

/** A number of a row. Its texts are made on demand: of thousands of points few are ever read. */
class NumberOfRow implements Value {
  readonly at: string;
  readonly value: number;
  readonly #told: Told;

  constructor(at: string, value: number, told: Told) {
    this.at = at;
    this.value = value;
    this.#told = told;
  }

  get text(): string {
    const { asked, row, times } = this.#told;
    const { whole } = this;
    const { say } = wordsFor(asked.store);
    const ofWhole = whole === null ? '' : ` ${say('picture.of-whole', { whole: whole.text })}`;
    return this.#number().text + ofWhole + timesAt(asked, row, times);
  }

  get short(): string {
    return this.#number().short;
  }

  get bare(): string {
    const { asked, rows, key } = this.#told;
    return formatBare(this.value, unitAt(asked, rows, key), asked.store) ?? this.short;
  }

  get doubt(): Doubt | null {
    const { asked, rows, row, key } = this.#told;
    const { of } = fieldAt(asked, rows, key);
    const whole = of === undefined ? undefined : row[of];
    const word = of === undefined ? null : partsWord(asked, rows, of);
    if (typeof whole !== 'number' || word === null) return null;
    const parts = Math.round((this.value / 100) * whole);
    if (whole < FEW || (parts > 0 && parts < FEW_PARTS)) return 'few';
    return word in RECORDED && Number(row.unique_orders_count) >= whole ? 'unrecorded' : null;
  }

  /** What the rate is a part of: 25 % of 12 is less than it seems. */
  get whole(): Pick<Value, 'at' | 'short' | 'text'> | null {
    const { asked, rows, row, key } = this.#told;
    const { of } = fieldAt(asked, rows, key);
    const whole = of === undefined ? undefined : row[of];
    if (of === undefined || typeof whole !== 'number') return null;
    const short = formatNumber(whole, unitAt(asked, rows, of), asked.store);
    const at = `${this.at.slice(0, -key.length)}${of}`;
    const parts = partsWord(asked, rows, of);
    return { at, short, text: parts === null ? short : countText(short, whole, parts, asked.store) };
  }

  #number(): Value {
    const { asked, rows, key } = this.#told;
    return numberValue(this.at, this.value, unitAt(asked, rows, key), asked.store);
  }
}

/**
 * A value that is missing.
 *
 * @param why it is missing
 */
export function noValue(at: string, why: string): Value {
  return { at, value: null, text: why, short: why };
}

/** The name of a row, from its own fields: business data. */
export function labelText(asked: Asked, rows: string, label: Label, row: Json): string {
  const { weekday, hour } = row;
  if (typeof weekday === 'number' && typeof hour !== 'number') return weekdayName(weekday, asked.store);
  if (typeof hour === 'number' && typeof weekday !== 'number') return formatNumber(hour, 'hour', asked.store);
  const isSpan =
    label.length === 2 && label.every((part) => typeof part === 'string' && /^(from|to)_/.test(part));
  if (isSpan) return spanText(label.map((key) => row[String(key)]));
  const named = label
    .map((part) => partText(asked, rows, typeof part === 'string' ? [part] : part, row))
    .map((text) => asked.texts?.[text] ?? text)
    .filter((text, place, all) => text !== '' && all.indexOf(text) === place)
    .join(' · ');
  // The variant that won the test was then sent to the rest of the audience, as a row of its own.
  return row.is_winner_send === true ? `${named}, sent to the rest (no part of the test)` : named;
}

function spanText([from, to]: readonly unknown[]): string {
  if (to === null || to === undefined) return `${from} or more`;
  return from === to ? String(from) : `${from}–${to}`;
}

/** The first value that is not null; if all are null, what null means there. */
function partText(asked: Asked, rows: string, keys: readonly string[], row: Json): string {
  const known = keys.find((key) => row[key] != null);
  const found = known && row[known];
  if (Array.isArray(found)) return found.join(' → ');
  if (known !== undefined)
    return fieldAt(asked, rows, known).isKey ? keyInWords(String(found)) : String(found);
  const meaning = fieldAt(asked, rows, keys[0] ?? '').null;
  return meaning === undefined || keys[0] === 'segment' ? '' : `(${meaning})`;
}
