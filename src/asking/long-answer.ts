import type { Field } from '../answers/fields/field.ts';
import { keptKeys } from '../answers/row-formats.ts';
import type { Tool } from '../answers/tool.ts';
import { InputError } from '../errors.ts';

/** This is about 10,000 tokens: opencode and Claude Code show no more of an answer. */
export const LONG_BYTES = 40_000;
/**
 * The most bytes of the JSON of an answer. It is 25 times what the hosts that we know show, and more than
 * 1000 products with all fields have (about 1.2 MB). A longer answer would help nobody, and take the server
 * from others.
 */
export const MOST_BYTES = 2_000_000;

/**
 * Claude Code puts an answer of more than 50,000 characters into a file, and shows 2,000 of them, unless the
 * list of tools allows it more. So much fits into its conversation; an answer that is longer says how to ask
 * for less.
 */
const SHOWN_CHARACTERS = 100_000;

/** What the list says of a tool whose answers grow with what is asked for. */
export function shownWhole(tool: Tool): { readonly _meta: Readonly<Record<string, unknown>> } | null {
  return waysToAskForLess(tool, {}) === undefined
    ? null
    : { _meta: { 'anthropic/maxResultSizeChars': SHOWN_CHARACTERS } };
}

/** What makes an answer shorter, by the argument of the tool that does it. */
export const WAYS: Readonly<Record<string, string>> = {
  fields: 'fields with only what you need',
  format: 'format "table"',
  breakdown: 'a coarser breakdown',
  cohort_period: 'a longer cohort_period',
  max_periods: 'a lower max_periods',
  external_product_ids: 'fewer products',
  external_master_product_ids: 'fewer products',
  categories: 'fewer categories',
  brands: 'fewer brands',
  filter_segments: 'fewer segments in filter_segments',
  max_chars: 'a lower max_chars',
  limit: 'a lower limit',
  from_date: 'a shorter range',
};

/** Says of an answer that is not sent how long it would be. */
export function tooLong(tool: Tool, args: Readonly<Record<string, unknown>>, bytes: number): InputError {
  const [megabytes, most] = [bytes, MOST_BYTES].map((size) => (Math.ceil(size / 100_000) / 10).toFixed(1));
  return new InputError(
    `the answer would have at least ${megabytes} MB, and at most ${most} are sent`,
    waysToAskForLess(tool, args),
  );
}

/** How many rows, as they are asked for, surely fit into no answer if there is one more. */
export function roomForRows({ rows, fields }: Tool, args: Readonly<Record<string, unknown>>): number {
  if (rows === undefined) return Number.POSITIVE_INFINITY;
  const row = fields.find(({ key }) => key === rows.list);
  const kept = keptKeys(rows, fields, args);
  const columns = (row?.fields ?? []).filter(({ key }) => kept.includes(key));
  const isTable = args.format === 'table' || (rows.areObjects !== true && args.format === undefined);
  const bytes = columns.reduce(
    (sum, column) => sum + leastBytes(column) + ','.length + (isTable ? 0 : `"${column.key}":`.length),
    '{}'.length,
  );
  return Math.floor(MOST_BYTES / bytes);
}

/** What no value of the field is shorter than, as JSON. */
function leastBytes({ type, values, null: meaning }: Field): number {
  const least = type === 'date' ? '"2026-10-31"'.length : type === 'choice' ? choiceBytes(values ?? []) : 1;
  return meaning === undefined ? least : Math.min(least, 'null'.length);
}

function choiceBytes(values: readonly string[]): number {
  return '""'.length + Math.min(...values.map((value) => value.length));
}

/** What is said about a long answer: nothing is cut, and its reader learns how to ask for less. */
export interface LongAnswer {
  readonly note: string;
  /** The metadata of the result, for hosts. */
  readonly meta: Readonly<Record<string, unknown>>;
}

export function longAnswer(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  bytes: number,
): LongAnswer | null {
  if (bytes <= LONG_BYTES) return null;
  const shorter = waysToAskForLess(tool, args);
  const size = `This answer has ${Math.round(bytes / 1000)} KB, and some apps cut such answers.`;
  return {
    note: shorter === undefined ? size : `${size} ${shorter}`,
    meta: {
      'storesight/answer-bytes': bytes,
      ...(shorter !== undefined && { 'storesight/shorter': shorter }),
    },
  };
}

export function waysToAskForLess(tool: Tool, args: Readonly<Record<string, unknown>>): string | undefined {
  const isUsed = (way: string) => way === 'format' && args.format === 'table';
  const ways = Object.keys(WAYS).filter((argument) => argument in tool.input.shape && !isUsed(argument));
  if (ways.length === 0) return undefined;
  return `Ask for less: ${ways.map((argument) => WAYS[argument]).join(', or ')}.`;
}
