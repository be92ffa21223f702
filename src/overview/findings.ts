import type { Sentences } from '../answers/sentences.ts';
import type { Watched } from '../asking/digest.ts';
import type { ToolEnvironment } from '../asking/run-tool.ts';
import type { Business } from '../business/business.ts';
import type { DrawnStore } from '../charts/drawn-store.ts';
import type { Caller } from '../control/people/callers.ts';
import type { Messages } from '../messages/messages.ts';
import { watchedDays } from './alarms.ts';
import type { AskedOverview } from './asked-overview.ts';
import { openPage } from './open-page.ts';
import type { Days } from './page-periods.ts';
import { type PageSentence, pageNotes } from './page-sentences.ts';
import type { Answers, Data } from './tool-answers.ts';

export type { Watched } from '../asking/digest.ts';

/**
 * Sentences of `explain_change` and `watch`, asked as the caller: why a number changed, and what is unusual.
 */
export interface Findings {
  readonly store: DrawnStore;
  readonly asked: AskedOverview;
  readonly days: Days;
  readonly before: Days | null;
  readonly notCompared: string | null;
  /** It is null when the number is compared with nothing, or when `missing` says why. */
  readonly change: Change | null;
  readonly watched: Watched | null;
  readonly notes: readonly PageSentence[];
  /** What its sentences say, for other languages. */
  readonly sentences: Sentences;
  readonly missing: readonly { readonly name: string; readonly why: string }[];
}

/** What `explain_change` answers, as far as the page has it. */
export interface Change {
  readonly unit: string;
  readonly summary: string;
  readonly stands_out: readonly { readonly sentence: string }[];
  readonly facts: readonly { readonly text: string }[];
  /** Each tells the whole difference apart. */
  readonly bridges: readonly {
    readonly name: string;
    readonly parts: readonly { readonly name: string; readonly change: number }[];
  }[];
}

/** What is explained where a card is shown along time; revenue for all others. */
const EXPLAINED: Readonly<Record<string, string>> = { orders: 'orders_count', visits: 'sessions_count' };

/**
 * The findings of the days of a page. They are of the whole store, whatever it is filtered by.
 *
 * @returns null where no orders are loaded
 * @throws InputError what all tools refuse, such as a caller who may not read the store
 */
export async function readFindings(
  environment: ToolEnvironment,
  caller: Caller,
  business: Business,
  asked: AskedOverview,
  messages: Messages,
  signal?: AbortSignal,
): Promise<Findings | null> {
  const page = await openPage(environment, caller, business, asked, messages, signal);
  if (page === null) return null;
  const { answers } = page;
  const { store, days, before, notCompared } = page.range;
  const [change, watched] = await Promise.all([
    before === null ? null : askChange(answers, { asked, days, before }, messages),
    answers.ofArguments(messages.say('findings.look'), 'watch', watchedDays(days), days),
  ]);
  const sentences = answers.sentences();
  return {
    store,
    asked,
    days,
    before,
    notCompared,
    change: change as Change | null,
    watched: watched as Watched | null,
    notes: pageNotes(answers.notes(days), { sentences, messages, store }),
    sentences,
    missing: answers.missing(),
  };
}

function askChange(
  answers: Answers,
  { asked, days, before }: { readonly asked: AskedOverview; readonly days: Days; readonly before: Days },
  { say }: Messages,
): Promise<Data | null> {
  const args = {
    ...days,
    metric: EXPLAINED[asked.show] ?? 'revenue',
    compare: 'range',
    compare_from_date: before.from_date,
    compare_to_date: before.to_date,
  };
  return answers.ofArguments(say('findings.changed'), 'explain_change', args, days);
}
