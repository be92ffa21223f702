import { localDay } from '../charts/dates.ts';
import type { DrawnStore } from '../charts/drawn-store.ts';
import type { Days } from './page-periods.ts';
import type { Data } from './tool-answers.ts';

/**
 * Says whether anything of these days is loaded of what an answer is about. Where nothing is, its zeros are
 * not the store's: a store whose visits are not loaded has not had none.
 */
export function isLoaded(answer: Data, { from_date, to_date }: Days, store: DrawnStore): boolean {
  const dayOf = (moment: unknown) => (typeof moment === 'string' ? localDay(moment, store) : null);
  if ('data_until' in answer) {
    const until = dayOf(answer.data_until);
    return until !== null && from_date <= until;
  }
  const [first, last] = [dayOf(store.history_starts_at), dayOf(store.data_until)];
  return (last === null || from_date <= last) && (first === null || to_date >= first);
}
