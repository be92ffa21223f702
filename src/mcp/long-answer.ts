import type { Tool } from '../answers/tool.ts';
import { InputError } from '../errors.ts';

/** Claude Code warns its user from here on, and refuses answers of 25,000. */
const LONG_TOKENS = 10_000;
const BYTES_PER_TOKEN = 4;
/** Several times what any tool answers over years by day; more would help nobody, and fill the server. */
const MOST_BYTES = 16_000_000;

/** What makes an answer shorter, by the argument of the tool that does it. */
export const WAYS: Readonly<Record<string, string>> = {
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

/** Nothing is cut, so whoever reads a long answer is told how to ask for less. */
export function longAnswerNotes(tool: Tool, json: string): string[] {
  const tokens = Buffer.byteLength(json) / BYTES_PER_TOKEN;
  if (tokens < LONG_TOKENS) return [];
  const size = `This answer is long, about ${Math.round(tokens / 1000)},000 tokens, and some apps cut such answers.`;
  const ways = waysToAskForLess(tool);
  return [ways === undefined ? size : `${size} ${ways}`];
}

function waysToAskForLess(tool: Tool): string | undefined {
  const ways = Object.keys(WAYS).filter((argument) => argument in tool.input.shape);
  if (ways.length === 0) return undefined;
  return `Ask for less: ${ways.map((argument) => WAYS[argument]).join(', or ')}.`;
}
