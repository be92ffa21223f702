import { dayOf, momentOf } from '../calendar.ts';
import { mustBe } from '../tally.ts';
import { growingList, type Membership, membersAt, shrinkingList } from './interest-lists.ts';

/** Members of interest lists in a month. */
export type ListTruth = {
  from_date: string;
  to_date: string;
  /** The highest, and the lowest, net growth. */
  growing_code: string;
  shrinking_code: string;
  interest_lists: {
    code: string;
    subscribed_at_start_count: number;
    subscribed_count: number;
    unsubscribed_count: number;
    net_growth: number;
    subscribed_at_end_count: number;
  }[];
};

/** @param memberships in order of time */
export function countListTruth(memberships: readonly Membership[]): ListTruth {
  const range = { from_date: '2026-09-01', to_date: '2026-09-30' };
  const [start, end] = [momentOf(dayOf(range.from_date), 0), momentOf(dayOf(range.to_date) + 1, 0)];
  const codes = [...new Set(memberships.map(({ code }) => code))].sort();
  const interest_lists = codes.map((code) => {
    const own = memberships.filter(
      ({ at, ...membership }) => membership.code === code && at >= start && at < end,
    );
    const subscribed_count = own.filter(({ isMember }) => isMember).length;
    const unsubscribed_count = own.length - subscribed_count;
    return {
      code,
      subscribed_at_start_count: membersAt(memberships, code, start - 1).size,
      subscribed_count,
      unsubscribed_count,
      net_growth: subscribed_count - unsubscribed_count,
      subscribed_at_end_count: membersAt(memberships, code, end - 1).size,
    };
  });
  const byGrowth = interest_lists.toSorted((a, b) => b.net_growth - a.net_growth);
  mustBe('growing list', byGrowth[0]?.code ?? '', growingList);
  mustBe('shrinking list', byGrowth.at(-1)?.code ?? '', shrinkingList);
  return { ...range, growing_code: growingList, shrinking_code: shrinkingList, interest_lists };
}
