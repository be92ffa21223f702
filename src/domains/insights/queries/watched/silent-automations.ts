import { Temporal } from 'temporal-polyfill';
import type { Query } from '../../../../answers/fields/query.ts';
import { worded } from '../../../../answers/sentences.ts';
import type { SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import { quoted, shortText } from '../../../../text/business-text.ts';
import { plural } from '../../../../text/plural.ts';
import {
  type Habit,
  hasFallenSilent,
  messagesADay,
  quietAutomations,
  quietDaysOf,
} from '../../../messages/queries/quiet-automations.ts';
import type { TrustRow } from './trust-row.ts';
import { earliest, type WatchedDays, wholeUntil } from './watched-days.ts';

/** A week's list is reported when this many messages are missing. */
const LEAST_MISSED = 10;
const MOST_NAMED = 5;
/**
 * An automation is named until it sends again or is stopped, for twelve weeks at most, as long as its usual
 * pauses are looked for: one of Christmas that stays switched on is not broken all summer.
 */
const NAMED_DAYS = 84;

/**
 * The automations that sent nothing in the last days of those that are judged, by the rule of the notes
 * beside messages, also where they fell silent long before these days.
 *
 * @returns null where no message is loaded of these days
 */
export function quietAutomationDays(
  { from, to }: WatchedDays,
  timezone: string,
  facts: SnapshotFacts,
): Query<Habit> | null {
  const whole = wholeUntil('messages', timezone, facts);
  if (whole === null) return null;
  const last = earliest(whole, to);
  if (Temporal.PlainDate.compare(last, from) < 0) return null;
  const judged = { firstDate: from, lastDate: last };
  return quietAutomations(judged, ['email', 'sms'], {}, facts, timezone, NAMED_DAYS);
}

/** Those that fell silent last come first: they are the news. */
export function silentAutomations(rows: readonly Habit[]): TrustRow[] {
  const silent = rows
    .filter((row) => row.state === 'active' && !row.sends_again && hasFallenSilent(row))
    .map((row) => ({ ...row, missed: Math.round(messagesADay(row) * quietDaysOf(row)) }))
    .filter(({ missed }) => missed >= LEAST_MISSED)
    .toSorted(
      (one, other) => other.last_date.localeCompare(one.last_date) || one.name.localeCompare(other.name),
    );
  if (silent.length === 0) return [];
  const named = silent
    .slice(0, MOST_NAMED)
    .map(
      ({ name, last_date, missed }) =>
        `${quoted(shortText(name, 60))} (none after ${last_date}; about ${missed} would be usual)`,
    );
  const more = silent.length - named.length;
  return [
    {
      kind: 'silent_automations',
      text: worded(
        `${plural(silent.length, 'active automation sends', 'active automations send')} nothing any more: ${named.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`,
        'trust.silent-automations',
        {
          automations: {
            each: silent.slice(0, MOST_NAMED).map(({ name, last_date, missed }) => ({
              sentence: {
                key: 'trust.silent-automation',
                values: { name: { name: shortText(name, 60) }, day: { day: last_date }, count: missed },
              },
            })),
            more,
          },
        },
      ),
      touches: worded('what automations sent and brought: it is too low', 'touch.automations'),
      affected_share: null,
    },
  ];
}
