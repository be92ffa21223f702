import {
  LEAST_PIECES,
  LEAST_PLACEBOS,
  type NoEffect,
  neededDays,
  type PlaceboEffect,
} from '../../../../statistics/placebo-effect.ts';
import { homeCountry } from '../../../../store/personal-data/store-countries.ts';
import { quoted, shortText } from '../../../../text/business-text.ts';
import { plural } from '../../../../text/plural.ts';
import { publicHolidays } from '../../../../time/public-holidays.ts';
import { lengthOf, MOST_DAYS } from './event-question.ts';
import type { KnownEvent } from './known-event.ts';

/** An effect is said to be seen when chance would bring it so rarely. */
const SEEN = 0.05;

/** The effect in a sentence that may be quoted, or why there is none and what would be enough. */
export function summaryOf(known: KnownEvent): string {
  const { effect } = known;
  if (effect === null || !('p' in effect)) return `No effect is told: ${whyNone(known, effect)}`;
  const { actual, expected, expectedLow, expectedHigh, placebos, asFar, p, detectable } = effect;
  const { args, question, currency } = known;
  const unit = args.metric.endsWith('revenue') && currency !== null ? ` ${currency}` : '';
  const text = (value: number) => Math.round(value).toLocaleString('en-US');
  const percent = (100 * (actual - expected)) / expected;
  const sign = percent < 0 ? '-' : '+';
  const found = `${args.metric} of ${args.dimension} ${partOf(args.values)} from ${question.from} to ${question.to}: ${text(actual)}${unit}, to be expected were ${text(expected)} (${text(expectedLow)} to ${text(expectedHigh)})`;
  const rank = `${asFar} of ${plural(placebos, 'earlier date', 'earlier dates')} moved as far without it (p ${Number(p.toPrecision(2))})`;
  return p <= SEEN
    ? `${found}: ${sign}${Math.abs(percent).toFixed(1)} %. ${rank}.${restOf(effect)}`
    : `${found}. No effect is shown: ${rank}. One below ${detectable.toFixed(0)} % could not have been told from chance.`;
}

/** If the rest moved much, something may have happened to the rest instead. */
function restOf({ restRatio }: PlaceboEffect): string {
  return Math.abs(restRatio - 1) < MUCH
    ? ''
    : ` All others moved by ${percentOf(restRatio)} against the 28 days before: it may be them that something happened to.`;
}

function percentOf(ratio: number): string {
  const change = Math.round(100 * (ratio - 1));
  return `${change < 0 ? '-' : '+'}${Math.abs(change)} %`;
}

const MOST_VALUES = 3;

function partOf(values: readonly string[]): string {
  const shown = values.slice(0, MOST_VALUES).map((value) => quoted(shortText(value, 60)));
  const more = values.length - shown.length;
  return `${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
}

function whyNone(known: KnownEvent, effect: NoEffect | null): string {
  const { question, args, unknown, without } = known;
  const { from, begun, to, days } = question;
  const what = args.metric === 'sessions_count' ? 'visits' : 'orders';
  if (begun === null) return `no ${what} are loaded.`;
  if (lengthOf(from, question.askedTo) > MOST_DAYS)
    return `an event has at most ${MOST_DAYS} days, and ${from} to ${question.askedTo} are more. ${hintOf(known)}`;
  if (effect === null)
    return days === 0
      ? `the event begins on ${from}, and ${what} are loaded to the end of ${to} alone.`
      : `the event begins on ${from}, and ${what} are known from ${begun} on. It needs ${enoughDays(days)} before it.`;
  if (unknown.length > 0 && effect.reason === 'few pieces' && effect.pieces === 0)
    return `before it there were no ${what} of ${args.dimension} ${partOf(args.values)}, and a note says which names are unknown.`;
  switch (effect.reason) {
    case 'few placebos':
      return `${effect.placebos} earlier dates can be compared, and ${LEAST_PLACEBOS} are needed. That takes ${enoughDays(days)} before ${from}; known are ${lengthOf(begun, from) - 1}. ${hintOf(known)}`;
    case 'few pieces':
      return `about ${effect.pieces.toFixed(1)} ${what} were to be expected, and ${LEAST_PIECES} are needed. ${hintOf(known)}`;
    case 'unknown days':
      return `of the event and the 28 days before it not all days are known${without.length === 0 ? '' : ` (nothing on ${without.slice(0, 3).join(', ')})`}. ${hintOf(known)}`;
    case 'no rest':
      return 'nothing is left that was not affected, so a rise of the whole shop could not be told apart. Name a part of the store.';
  }
}

/** A length that was tried, so that the next question is no second refusal. */
function hintOf({ tellableDays, question }: KnownEvent): string {
  if (tellableDays === null)
    return `No other to_date would be answered: of at most 7 days it takes ${neededDays(7)} before, and ${LEAST_PIECES} orders or visits to be expected. Ask about more of the part together.`;
  const to = question.from.add({ days: tellableDays - 1 });
  return `Ask with to_date ${to}, its first ${plural(tellableDays, 'day', 'days')}: that is answered.`;
}

function enoughDays(days: number): string {
  return `${neededDays(days)} whole days`;
}

/** What the number is not, the worst first. */
export function eventNotes(known: KnownEvent): string[] {
  const { effect, unknown, question } = known;
  const isTold = effect !== null && 'p' in effect;
  return [
    ...(isTold
      ? [
          'No group was held out: the effect is what differs from what was to be expected, and all else that moved this part in these days is in it.',
          ...sameDaysNotes(known),
          ...stockNotes(known),
          ...restNotes(known, effect),
        ]
      : []),
    ...(question.days > 0 && !question.askedTo.equals(question.to)
      ? [`Days after ${question.to} are left out: nothing is loaded to their end.`]
      : []),
    ...unknown,
  ];
}

function sameDaysNotes({ noted, question, facts }: KnownEvent): string[] {
  const country = homeCountry(facts.timezone, facts.primary_currency);
  const [from, to] = [question.from.toString(), question.to.toString()];
  const holidays = country === null ? [] : publicHolidays(country, from, to, MOST_NAMED + 1);
  const names = [...noted, ...holidays].map(
    ({ name, first_date }) => `${quoted(shortText(name, 60))} ${first_date}`,
  );
  if (names.length === 0) return [];
  const more = names.length > MOST_NAMED ? ' and others' : '';
  return [
    `In the calendar of these days: ${names.slice(0, MOST_NAMED).join(', ')}${more}. If that is not the event itself, what it did is in the effect too.`,
  ];
}

const MOST_NAMED = 5;

function stockNotes({ missingProducts }: KnownEvent): string[] {
  if (missingProducts === 0) return [];
  return [
    `${plural(missingProducts, 'of the products was', 'of the products were')} read without stock in these days: what could not be sold makes the effect smaller.`,
  ];
}

/** A note mentions the rest when it changed by this much or more. */
const MUCH = 0.1;

function restNotes({ args }: KnownEvent, { restRatio, expectedWithRest }: PlaceboEffect): string[] {
  const moved =
    Math.abs(restRatio - 1) < MUCH
      ? []
      : [
          `All that was not affected moved by ${percentOf(restRatio)} against the 28 days before: that is taken out as far as the part usually moves with it.${expectedWithRest === null ? '' : ` It moved further than on any earlier date; had the part followed it wholly, ${Math.round(expectedWithRest).toLocaleString('en-US')} were to be expected.`}`,
        ];
  return [
    ...moved,
    args.dimension === 'channel' || args.dimension === 'country'
      ? 'If the event moved the rest as well, the effect is too small or too large.'
      : 'If customers bought this instead of something else, or the other way round, the effect is too large.',
  ];
}
