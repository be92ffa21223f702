import { atOneSnapshot, type ToolEnvironment } from '../asking/run-tool.ts';
import type { Business } from '../business/business.ts';
import type { Caller } from '../control/people/callers.ts';
import type { Messages } from '../messages/messages.ts';
import type { AskedPeriod } from './page-periods.ts';
import { type PageRange, readRange } from './page-range.ts';
import { Answers } from './tool-answers.ts';

/** The days of a page, and the tools that it asks: all of one snapshot, as the caller. */
export interface OpenPage {
  readonly range: PageRange;
  readonly answers: Answers;
}

/** @returns null where no orders are loaded */
export async function openPage(
  environment: ToolEnvironment,
  caller: Caller,
  business: Business,
  asked: AskedPeriod,
  messages: Messages,
  signal: AbortSignal | undefined,
): Promise<OpenPage | null> {
  const atOnce = atOneSnapshot(environment);
  const range = await readRange(atOnce, business, asked, messages);
  if (range === null) return null;
  return { range, answers: new Answers(atOnce, caller, business.business_id, signal) };
}
