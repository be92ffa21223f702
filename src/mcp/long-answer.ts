import type { Tool } from '../answers/tool.ts';
import { InputError } from '../errors.ts';

/** About 20,000 tokens: Claude Code refuses answers of 25,000. */
const LONG_BYTES = 80_000;
/** Several times what any tool answers over years by day; more would help nobody, and fill the server. */
const MOST_BYTES = 16_000_000;

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

/** @throws InputError when an answer is larger than the server keeps in memory */
export function refuseHugeAnswer(tool: Tool, json: string): void {
  const bytes = Buffer.byteLength(json);
  if (bytes <= MOST_BYTES) return;
  const [megabytes, most] = [bytes, MOST_BYTES].map((size) => Math.ceil(size / 1_000_000));
  throw new InputError(
    `the answer would have ${megabytes} MB, and at most ${most} are sent`,
    waysToAskForLess(tool),
  );
}

/** What is said of a long answer: nothing is cut, so whoever reads it is told how to ask for less. */
export interface LongAnswer {
  readonly note: string;
  /** For hosts, in the metadata of the result. */
  readonly meta: Readonly<Record<string, unknown>>;
}

export function longAnswer(
  tool: Tool,
  args: Readonly<Record<string, unknown>>,
  json: string,
): LongAnswer | null {
  const bytes = Buffer.byteLength(json);
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

function waysToAskForLess(tool: Tool, args: Readonly<Record<string, unknown>> = {}): string | undefined {
  const isUsed = (way: string) => way === 'format' && args.format === 'table';
  const ways = Object.keys(WAYS).filter((argument) => argument in tool.input.shape && !isUsed(argument));
  if (ways.length === 0) return undefined;
  return `Ask for less: ${ways.map((argument) => WAYS[argument]).join(', or ')}.`;
}
