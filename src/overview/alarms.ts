import { Temporal } from 'temporal-polyfill';
import { isTooLong } from '../asking/too-long.ts';
import { type Days, daysOfPeriod } from './page-periods.ts';
import type { PageRange } from './page-range.ts';
import { type PageSentence, pageSentence } from './page-sentences.ts';
import { type Answers, type Data, rowsAt } from './tool-answers.ts';

/** The number of days that `watch` judges at once. */
const MOST_WATCHED = 28;

/** The arguments of `watch` for the last of these days. */
export function watchedDays({ from_date, to_date }: Days): Data {
  const end = Temporal.PlainDate.from(to_date).add({ days: 1 });
  const earliest = end.subtract({ days: MOST_WATCHED }).toString();
  return { as_of: end.toString(), since: from_date > earliest ? from_date : earliest };
}

/** What broke, as `watch` calls it. What it tells else of numbers stands at them or in the findings. */
const BROKEN: readonly unknown[] = [
  ...['delivery', 'silent_automations', 'silent_channel', 'silent_clicks', 'missing_days', 'tracking'],
];

/**
 * What broke in the last days that are loaded, such as e-mails that a provider refuses: whichever days a page
 * shows, and whatever part of the store, it is to be mended now. All pages ask the same question, so it is
 * asked once of a snapshot. It takes longer than all else that a page asks, and a page has its numbers
 * without it.
 *
 * @returns null where it could not be asked
 */
export async function readAlarms(
  answers: Answers,
  { lastDay, store, messages }: PageRange,
): Promise<readonly PageSentence[] | null> {
  const { days } = daysOfPeriod({ period: '30d', compare: 'none', own: null }, lastDay);
  try {
    const answer = await answers.ofArguments(messages.say('findings.look'), 'watch', watchedDays(days), days);
    const reader = { sentences: answers.sentences(), messages, store };
    const broken = rowsAt(answer, 'trust').filter(({ kind }) => BROKEN.includes(kind));
    return answer && broken.map(({ text }) => pageSentence(String(text), reader));
  } catch (error) {
    if (isTooLong(error)) return null;
    throw error;
  }
}
