import type { Temporal } from 'temporal-polyfill';
import { type SentenceValue, sentenceOf, worded } from '../../../../answers/sentences.ts';
import { LEAST_SHARING } from '../../../../answers/shared-values.ts';
import { roundedPercent } from '../../../../statistics/rounded.ts';
import { quoted, shortText } from '../../../../text/business-text.ts';
import { type Broken, type JudgedDelivery, withoutParts } from './broken-delivery.ts';
import {
  type CommonRow,
  type CrossedRow,
  IN_COMMON,
  type InCommon,
  type PeopleRow,
  RECENT_DAYS,
} from './delivery-queries.ts';
import type { TrustRow } from './trust-row.ts';

/** What was asked of the broken values. */
export interface BrokenRows {
  readonly crossed: readonly CrossedRow[];
  readonly common: readonly CommonRow[];
  readonly people: readonly PeopleRow[];
}

/** A row, and how the summary names it. */
export interface DeliveryRow extends TrustRow {
  readonly named: string;
}

/** More are not listed. */
const MOST_ROWS = 5;

/** What makes so large a part of what failed is named beside it. */
const ALMOST_ALL = 0.8;

/** These are of who gets the messages, and the others of the shop. */
const OF_PEOPLE: readonly string[] = ['mailbox_provider', 'country'];

/**
 * What is not delivered any more; a provider or country with fewer than five people in the days that are
 * shown has no row.
 */
export function deliveryRows(
  judged: JudgedDelivery,
  { crossed, common, people }: BrokenRows,
  last: Temporal.PlainDate,
): DeliveryRow[] {
  const rowOfPlace = new Map(people.map((row) => [row.place, row]));
  const shown = judged.broken.filter(
    ({ cut }, place) =>
      !OF_PEOPLE.includes(cut) || (rowOfPlace.get(place)?.people_count ?? 0) >= LEAST_SHARING,
  );
  const told = withoutParts({ ...judged, broken: shown }, crossed);
  const more = judged.brokenCount - judged.broken.length + Math.max(0, told.length - MOST_ROWS);
  return told.slice(0, MOST_ROWS).map((one, place, rows) => {
    const own = common
      .filter((row) => row.place === judged.broken.indexOf(one))
      .toSorted(
        (row, other) => IN_COMMON.indexOf(row.what as InCommon) - IN_COMMON.indexOf(other.what as InCommon),
      );
    const pending = rowOfPlace.get(judged.broken.indexOf(one))?.pending_count ?? 0;
    return rowOf({ ...one, pending }, own, last, place === rows.length - 1 ? more : 0);
  });
}

interface Told extends Broken {
  /** Messages of the same days whose fate is not known yet. */
  readonly pending: number;
}

function rowOf(one: Told, common: readonly CommonRow[], last: Temporal.PlainDate, more: number): DeliveryRow {
  const { sent, failed, days, usual, channel } = one;
  const from = last.subtract({ days: days - 1 });
  const isOfWhole = usual.isOfWhole && one.cut !== 'all';
  const usually = `usually ${percentText(usual.share)}${isOfWhole ? ` of all ${NOUNS[channel]}` : ''}`;
  const percent = { percent: rounded(usual.share) };
  const text = worded(
    `${percentText(failed / sent)} of ${sent} ${nameOf(one)} from ${from} to ${last} were not delivered${longer(one)}, ${usually}.`,
    'delivery.failed',
    {
      what: whatOf(one),
      days: { days: [from.toString(), last.toString()] },
      percent: { percent: rounded(failed / sent) },
      count: sent,
      usual: isOfWhole ? { sentence: { key: 'delivery.of-all', values: { percent } } } : percent,
    },
  );
  return {
    kind: 'delivery',
    text: withMore(withPending(withCommon(text, common, one), one), more),
    touches:
      channel === 'sms'
        ? worded('what SMS brought, by country too: it is too low', 'touch.messages')
        : worded('opens, clicks and orders of e-mails: they are too low', 'touch.messages'),
    affected_share: roundedPercent(failed, sent),
    named: `${percentText(failed / sent)} of ${nameOf(one)} not delivered (${usually})`,
  };
}

/** Other answers divide what was delivered by all that was sent: both shares stand in the row. */
function withPending(text: string, { sent, failed, pending }: Told): string {
  const row = sentenceOf(text);
  if (pending === 0 || row === undefined) return text;
  const [all, delivered] = [sent + pending, (sent - failed) / (sent + pending)];
  return worded(
    `${text} ${pending} more ${pending === 1 ? 'is' : 'are'} pending, in neither number: ${percentText(delivered)} of all ${all} are delivered so far.`,
    'delivery.with-pending',
    {
      row: { sentence: row },
      count: pending,
      all: { number: all },
      delivered: { percent: rounded(delivered) },
    },
  );
}

function longer({ sent, days, recent }: Broken): string {
  return days < RECENT_DAYS && recent.sent > sent
    ? ` (${percentText(recent.failed / recent.sent)} of ${recent.sent} in the ${RECENT_DAYS} days until then)`
    : '';
}

const NOUNS: Readonly<Record<string, string>> = { email: 'e-mails', sms: 'SMS' };

function percentText(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** Rounds to as many digits as the English text has. */
function rounded(share: number): number {
  return Number((100 * share).toFixed(1));
}

function nameOf({ channel, cut, value }: Broken): string {
  const noun = NOUNS[channel] as string;
  return cut === 'all' ? noun : `${noun} ${WAYS[cut]} ${quoted(shortText(value, 60))}`;
}

function whatOf({ channel, cut, value }: Broken): SentenceValue {
  if (cut === 'all') return { say: channel === 'sms' ? 'delivery.sms' : 'delivery.emails' };
  return { sentence: { key: WAYS_IN_WORDS[cut], values: { name: { name: shortText(value, 60) } } } };
}

const WAYS = {
  mailbox_provider: 'to provider',
  sending_domain: 'from sending domain',
  country: 'to country',
} as const;

const WAYS_IN_WORDS = {
  mailbox_provider: 'delivery.to-provider',
  sending_domain: 'delivery.from-domain',
  country: 'delivery.to-country',
} as const;

const COMMON_IN_WORDS = {
  mailbox_provider: 'common.provider',
  sending_domain: 'common.domain',
  country: 'common.country',
} as const;

function withMore(text: string, more: number): string {
  const row = sentenceOf(text);
  if (more === 0 || row === undefined) return text;
  const verb = more === 1 ? 'is' : 'are';
  return worded(`${text} ${more} more broke at once and ${verb} not listed.`, 'delivery.with-more', {
    row: { sentence: row },
    count: more,
  });
}

/**
 * Adds what almost all of the failures have in common, in our words: those of providers may hold an address.
 */
function withCommon(text: string, common: readonly CommonRow[], whole: Broken): string {
  const parts = common.flatMap((row) => {
    const isOfFew = OF_PEOPLE.includes(row.what) && row.people_count < LEAST_SHARING;
    if (isOfFew || row.failed_count < ALMOST_ALL * whole.failed || !isTelling(row, whole)) return [];
    const words = commonWords(row.what as InCommon, row.value);
    return words === null ? [] : [words];
  });
  const row = sentenceOf(text);
  if (parts.length === 0 || row === undefined) return text;
  const english = `${text} Almost all of these are ${parts.map(([words]) => words).join(', ')}.`;
  return worded(english, 'delivery.with-common', {
    row: { sentence: row },
    common: { each: parts.map(([, value]) => value) },
  });
}

/**
 * A provider that nearly all messages go to has nearly all failures as well: it is named where others fail
 * half as often at most.
 */
function isTelling({ what, sent_count, failed_count }: CommonRow, { sent, failed }: Broken): boolean {
  if (!(what in WAYS)) return true;
  const others = sent - sent_count;
  return others > 0 && failed_count / sent_count >= (2 * (failed - failed_count)) / others;
}

type Words = readonly [text: string, value: SentenceValue];

function commonWords(what: InCommon, value: string): Words | null {
  if (what === 'outcome') return OUTCOMES[value] ?? null;
  if (what === 'failure_reason') return FAILURES[value] ?? null;
  if (what === 'smtp_code') {
    if (!SMTP_CODE.test(value)) return null;
    return [`with code ${value}`, { sentence: { key: 'common.code', values: { code: value } } }];
  }
  const name = shortText(value, 60);
  return [
    `${WAYS[what]} ${quoted(name)}`,
    { sentence: { key: COMMON_IN_WORDS[what], values: { name: { name } } } },
  ];
}

/** @example '550', '5.7.1', '550 5.7.1' */
const SMTP_CODE = /^[245]\d\d([ -][245]\.\d{1,3}\.\d{1,3})?$|^[245]\.\d{1,3}\.\d{1,3}$/;

const OUTCOMES: Readonly<Record<string, Words>> = {
  hard: ['hard bounces (no such mailbox)', { say: 'common.hard' }],
  soft: ['soft bounces', { say: 'common.soft' }],
  block: ['blocked by the provider (policy or reputation)', { say: 'common.block' }],
};

const FAILURES: Readonly<Record<string, Words>> = {
  no_credit: ['for lack of credit with the gateway', { say: 'common.no-credit' }],
  invalid_number: ['to invalid numbers', { say: 'common.invalid-number' }],
  blocked: ['blocked', { say: 'common.blocked' }],
  expired: ['expired', { say: 'common.expired' }],
  rejected: [
    'rejected by the gateway or a network, such as without a route to it',
    { say: 'common.rejected' },
  ],
  unreachable: ['to phones that were off or away', { say: 'common.unreachable' }],
};
