import type { Queries } from '../../../../answers/fields/query.ts';
import { type SentenceValue, worded } from '../../../../answers/sentences.ts';
import { SOURCES_IN_WORDS } from '../../../../answers/source-words.ts';
import type { SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import { percentOfKnown, roundedPercent, roundedRatio } from '../../../../statistics/rounded.ts';
import { quoted, shortText } from '../../../../text/business-text.ts';
import { plural } from '../../../../text/plural.ts';
import { localDate } from '../../../../time/moment.ts';
import { clickedAndVisited, LEAST_CLICKED, LEAST_RECORDED } from '../../../messages/queries/with-tracking.ts';
import { listUnpriced } from '../../../orders/definitions/unpriced.ts';
import { adCostDaysNotes } from '../../../traffic/queries/ad-cost-days.ts';
import {
  outOfStep,
  reasonsInWords,
  reasonsOfMore,
  shownDates,
  type VisitDay,
  valuesOf,
  visitDays,
} from '../../../traffic/queries/visits-and-orders.ts';
import type { RowsByKey } from '../explained/all-bridges.ts';
import { type Found, type Need, rowsOf, totalOf } from '../explained/asked-changes.ts';
import { SEPARATOR } from '../fact.ts';
import { daysWithout, usualByWeekday, weekdayOf } from '../usual-weekdays.ts';
import { sentByDay } from './delivery-queries.ts';
import { quietAutomationDays, silentAutomations } from './silent-automations.ts';
import {
  type Duplicates,
  duplicateOrders,
  type StaleStock,
  staleStock,
  type Unpriced,
  unpricedIn,
} from './trust-queries.ts';
import type { TrustRow } from './trust-row.ts';
import { rangeOf, type SourceDays, type WatchedDays } from './watched-days.ts';
import type { WatchedSource } from './watched-metrics.ts';

interface Asked {
  readonly days: WatchedDays;
  readonly sources: Readonly<Record<WatchedSource, SourceDays | null>>;
  readonly timezone: string;
  readonly currency: string | null;
  readonly facts: SnapshotFacts;
}

interface Known extends Asked {
  readonly found: Found;
  /** The sums of the whole store by day. */
  readonly byDay: Readonly<Record<WatchedSource, RowsByKey>>;
  /** Visits by channel and day, of the channels that had enough before. */
  readonly channels: { readonly values: readonly string[]; readonly rows: RowsByKey } | null;
}

/** The usual values are those of this many days before the ones that are judged. */
const BEFORE_DAYS = 16 * 7;

const PERIOD = [
  ...['orders_count', 'revenue', 'product_revenue', 'revenue_with_known_cost'],
  ...['sessions_count', 'suspected_bot_sessions_count'],
];
const EMAILS = ['emails_delivered_count', 'email_unique_clicks_count'];

export function trustNeeds(asked: Asked): Need[] {
  const { days, sources, timezone } = asked;
  const period = rangeOf(days.from, days.to, timezone);
  const before = (from: SourceDays['from']) =>
    rangeOf(from.subtract({ days: BEFORE_DAYS }), from.subtract({ days: 1 }), timezone);
  const { messages } = sources;
  return [
    periodNeed(asked),
    {
      id: 'trust channels',
      metrics: ['orders_count'],
      dimensions: ['channel'],
      ranges: [period, before(days.from)],
    },
    ...(messages === null
      ? []
      : [
          {
            id: 'trust campaigns',
            metrics: EMAILS,
            dimensions: ['email_campaign'] as const,
            ranges: [rangeOf(messages.from, messages.to, timezone)],
          },
          { id: 'trust e-mails', metrics: EMAILS, ranges: [before(messages.from)] },
        ]),
  ];
}

function periodNeed({ days, timezone }: Asked): Need {
  return { id: 'trust period', metrics: PERIOD, ranges: [rangeOf(days.from, days.to, timezone)] };
}

export function trustQueries({ days, sources, timezone, facts }: Asked): Queries {
  const period = rangeOf(days.from, days.to, timezone);
  const hasClicks = facts.sessions_until !== null && facts.messages_until !== null;
  return {
    duplicates: duplicateOrders(period),
    unpriced: facts.has_unpriced_money === true ? unpricedIn(period) : null,
    stock: staleStock(timezone, facts),
    automations: quietAutomationDays(days, timezone, facts),
    delivery: sentByDay(days, timezone, facts),
    visits:
      sources.sessions === null
        ? null
        : visitDays([{ firstDate: sources.sessions.from, lastDate: sources.sessions.to }], timezone, facts),
    clicked: hasClicks ? { ...clickedAndVisited(period), isAside: true } : null,
  };
}

export function trustOf(known: Known): TrustRow[] {
  return [
    ...missingDays(known),
    ...brokenTracking(known),
    ...silentChannels(known),
    ...silentAutomations((known.found.automations ?? []) as never),
    ...silentClicks(known),
    ...clicksWithoutVisits(known),
    ...ordersWithoutVisits(known),
    ...unknownCosts(known),
    ...adCosts(known),
    ...withoutRate(known),
    ...staleSources(known),
    ...soldStock(known),
    ...partialDay(known),
    ...duplicates(known),
    ...bots(known),
  ];
}

function periodDates({ days: { from, to } }: Pick<Asked, 'days'>): string[] {
  return datesBetween(from, to);
}

function datesBetween(from: SourceDays['from'], to: SourceDays['from']): string[] {
  const length = from.until(to, { largestUnit: 'day' }).days + 1;
  return Array.from({ length: Math.max(0, length) }, (_, place) => from.add({ days: place }).toString());
}

/** The judged days of a kind of data that are loaded, and those before that say what is usual. */
function daysOf({ sources }: Known, source: WatchedSource) {
  const own = sources[source];
  if (own === null) return null;
  const past = datesBetween(own.from.subtract({ days: BEFORE_DAYS }), own.from.subtract({ days: 1 })).filter(
    (date) => date >= own.first.toString(),
  );
  return { own, dates: datesBetween(own.from, own.to), past };
}

const NOUNS = { orders: ['orders_count', 'orders'], sessions: ['sessions_count', 'visits'] } as const;

function missingDays(known: Known): TrustRow[] {
  return (['orders', 'sessions'] as const).flatMap((source) => {
    const days = daysOf(known, source);
    if (days === null) return [];
    const [metric, noun] = NOUNS[source];
    const of = (date: string) => known.byDay[source].get(date)?.[metric] ?? 0;
    const missing = daysWithout(days.dates, days.past, of);
    if (missing.length === 0) return [];
    const usual = usualByWeekday(days.past, of);
    const sum = (dates: readonly string[]) =>
      dates.reduce((added, date) => added + (usual[weekdayOf(date)] ?? 0), 0);
    return [
      {
        kind: 'missing_days',
        text: worded(
          `No ${noun} on ${missing.join(', ')}, usually about ${Math.round(sum(missing))} on such days: they are probably not loaded.`,
          source === 'orders' ? 'trust.missing-orders' : 'trust.missing-visits',
          {
            dates: { each: missing.map((day) => ({ day })) },
            usual: { number: Math.round(sum(missing)) },
          },
        ),
        touches: touched(source),
        affected_share: roundedPercent(sum(missing), sum(days.dates)),
      },
    ];
  });
}

const TOUCHES = {
  orders: 'orders, revenue, customers, products and all rates of them',
  sessions: 'visits, channels, conversion rates, orders by click',
} as const;

function touched(source: WatchedSource): string {
  if (source === 'messages') return worded('e-mails and SMS, and all rates of them', 'touch.messages');
  return worded(TOUCHES[source], source === 'orders' ? 'touch.orders' : 'touch.visits');
}

/** The steps of a visit that a tag reports. */
const TRACKED = {
  sessions_count: 'Visits',
  cart_sessions_count: 'Visits with a cart',
  checkout_sessions_count: 'Visits with a checkout',
} as const;

function brokenTracking(known: Known): TrustRow[] {
  const { found, sources, timezone, facts } = known;
  if (sources.sessions === null) return [];
  const rows = (found.visits ?? []) as unknown as readonly VisitDay[];
  const range = { firstDate: sources.sessions.from, lastDate: sources.sessions.to };
  return (Object.keys(TRACKED) as (keyof typeof TRACKED)[]).flatMap((name) =>
    (['fewer', 'more'] as const).flatMap((side) => {
      const days = outOfStep(rows, range, name, side, timezone, facts);
      if (days === null || !days.isOfCounting || (side === 'more' && name !== 'sessions_count')) return [];
      const { dates, count, usual, orders, usualOrders } = days;
      // A day without any visit is a missing one.
      if (name === 'sessions_count' && count === 0) return [];
      const why =
        side === 'fewer'
          ? 'Tracking is probably broken.'
          : reasonsOfMore(dates, (found.noted ?? []) as never);
      return [
        {
          kind: 'tracking',
          text: trackingInWords(
            `${TRACKED[name]} were far ${side} than usual on ${shownDates(dates)}: ${count}, usually ${Math.round(usual)}, with ${orders} orders, usually ${Math.round(usualOrders)}. ${why}`,
            { ...valuesOf(days), what: { say: TRACKED_IN_WORDS[name] } },
            side === 'fewer' ? null : reasonsInWords(dates, (found.noted ?? []) as never),
          ),
          touches: touched('sessions'),
          affected_share: roundedPercent(Math.abs(count - usual), side === 'fewer' ? usual : count),
        },
      ];
    }),
  );
}

const TRACKED_IN_WORDS = {
  sessions_count: 'number.visits',
  cart_sessions_count: 'trust.carts',
  checkout_sessions_count: 'trust.checkouts',
} as const;

function trackingInWords(
  text: string,
  values: ReturnType<typeof valuesOf> & { readonly what: SentenceValue },
  reason: SentenceValue | null,
): string {
  return reason === null
    ? worded(text, 'trust.fewer', values)
    : worded(text, 'trust.more', { ...values, reason });
}

/** A channel is silent after this many days. */
const SILENT_DAYS = 2;

function silentChannels(known: Known): TrustRow[] {
  const days = daysOf(known, 'sessions');
  if (days === null || known.channels === null || days.dates.length < SILENT_DAYS) return [];
  const { rows, values } = known.channels;
  return values.flatMap((channel) => {
    const of = (date: string) => rows.get(`${channel}${SEPARATOR}${date}`)?.sessions_count ?? 0;
    const silent = days.dates.slice(days.dates.findLastIndex((date) => of(date) > 0) + 1);
    const usual = usualByWeekday(days.past, of);
    const sum = (dates: readonly string[]) =>
      dates.reduce((added, date) => added + (usual[weekdayOf(date)] ?? 0), 0);
    const whole = days.past.reduce(
      (added, date) => added + (known.byDay.sessions.get(date)?.sessions_count ?? 0),
      0,
    );
    if (silent.length < SILENT_DAYS || sum(silent) < 10) return [];
    const all = (whole / Math.max(1, days.past.length)) * days.dates.length;
    return [
      {
        kind: 'silent_channel',
        text: worded(
          `No visit of channel ${quoted(shortText(channel, 60))} since ${silent[0]}, usually about ${Math.round(sum(silent))} in such days: it sends nobody any more, or its links lost their tags.`,
          'trust.silent-channel',
          {
            name: { name: shortText(channel, 60) },
            day: { day: silent[0] ?? '' },
            usual: { number: Math.round(sum(silent)) },
          },
        ),
        touches: worded(
          'visits, orders and costs by channel; other channels may get its orders',
          'touch.channels',
        ),
        affected_share: roundedPercent(sum(silent), all),
      },
    ];
  });
}

/** The fewest clicks that must be expected before their absence is told. */
const LEAST_EXPECTED = 10;

function silentClicks(known: Known): TrustRow[] {
  const { found, facts } = known;
  const { messages } = known.sources;
  if (messages === null) return [];
  const need = { id: 'trust e-mails', metrics: EMAILS, ranges: [] };
  const before = totalOf(found, need, 0, facts);
  const [delivered, clicks] = EMAILS.map((name) => before[name] ?? 0) as [number, number];
  const campaigns = [...rowsOf(found, 'trust campaigns', 0)];
  const all = campaigns.reduce((sum, [, row]) => sum + (row.emails_delivered_count ?? 0), 0);
  const silent = campaigns.filter(
    ([, row]) =>
      row.email_unique_clicks_count === 0 &&
      delivered > 0 &&
      ((row.emails_delivered_count ?? 0) * clicks) / delivered >= LEAST_EXPECTED,
  );
  if (silent.length === 0) return [];
  const sent = silent.reduce((sum, [, row]) => sum + (row.emails_delivered_count ?? 0), 0);
  const named = silent.slice(0, 5).map(([id]) => quoted(shortText(id, 60)));
  return [
    {
      kind: 'silent_clicks',
      text: worded(
        `${plural(silent.length, 'campaign has', 'campaigns have')} no click in ${sent} delivered e-mails of ${messages.from} to ${messages.to}, usually about ${Math.round((sent * clicks) / delivered)}: ${named.join(', ')}. Their links are broken, or clicks are not recorded.`,
        'trust.silent-clicks',
        {
          sent: { number: sent },
          usual: { number: Math.round((sent * clicks) / delivered) },
          names: {
            each: silent.slice(0, 5).map(([id]) => ({ name: shortText(id, 60) })),
            more: Math.max(0, silent.length - 5),
          },
        },
      ),
      touches: worded('e-mail clicks, click rates, revenue by click', 'touch.clicks'),
      affected_share: roundedPercent(sent, all),
    },
  ];
}

function clicksWithoutVisits({ found }: Known): TrustRow[] {
  return (found.clicked ?? []).flatMap(({ channel, clicking_sends, visits }) => {
    const [clicked, came] = [Number(clicking_sends), Number(visits)];
    if (clicked < LEAST_CLICKED || came >= LEAST_RECORDED * clicked) return [];
    return [
      {
        kind: 'clicks_without_visits',
        text: worded(
          `${clicked} messages of ${channel} were clicked, and only ${came} visits of that channel are recorded: links lost their tags, or tracking has a hole.`,
          'trust.clicks-without-visits',
          {
            clicked: { number: clicked },
            came: { number: came },
            name: String(channel) === 'sms' ? 'SMS' : String(channel),
          },
        ),
        touches: worded('visits and orders by channel: others get those of this one', 'touch.channels'),
        affected_share: roundedPercent(clicked - came, clicked),
      },
    ];
  });
}

/** Shares below these are of every store. */
const LEAST_UNTRACKED = 0.1;
const LEAST_UNKNOWN = 0.5;
const LEAST_BOTS = 0.05;

function ordersWithoutVisits({ found, facts }: Known): TrustRow[] {
  if (facts.sessions_until === null) return [];
  const [now, before] = [0, 1].map((place) => {
    const rows = [...rowsOf(found, 'trust channels', place)];
    const of = (some: typeof rows) => some.reduce((sum, [, row]) => sum + (row.orders_count ?? 0), 0);
    return { all: of(rows), without: of(rows.filter(([channel]) => channel === '(untracked)')) };
  }) as [{ all: number; without: number }, { all: number; without: number }];
  if (now.all === 0 || now.without / now.all < LEAST_UNTRACKED) return [];
  const usual = roundedPercent(before.without, before.all);
  const share = Number(((100 * now.without) / now.all).toFixed(1));
  return [
    {
      kind: 'orders_without_visits',
      text: withoutVisit(
        `(untracked), without any visit of the customer to credit: ${now.without} of ${plural(now.all, 'order', 'orders')}${usual === null ? '' : `, ${share.toFixed(1)} %; in the 16 weeks before ${usual.toFixed(1)} %`}. These or more were placed in no visit: explain_change tells how many.`,
        { without: { number: now.without }, all: { number: now.all }, share: { percent: share } },
        usual,
      ),
      touches: worded(
        'orders, revenue and new customers by channel or campaign: they are too low',
        'touch.by-channel',
      ),
      affected_share: roundedPercent(now.without, now.all),
    },
  ];
}

function withoutVisit(
  text: string,
  { share, ...values }: Readonly<Record<'without' | 'all' | 'share', SentenceValue>>,
  usual: number | null,
): string {
  return usual === null
    ? worded(text, 'trust.no-visit', values)
    : worded(text, 'trust.no-visit-usual', {
        ...values,
        share,
        usual: { percent: Number(usual.toFixed(1)) },
      });
}

function unknownCosts(known: Known): TrustRow[] {
  // The metric is a share, in percent.
  const { product_revenue, revenue_with_known_cost } = totalOf(
    known.found,
    periodNeed(known),
    0,
    known.facts,
  );
  if (product_revenue == null || product_revenue <= 0) return [];
  const unknown = 100 - (revenue_with_known_cost ?? 0);
  if (unknown < LEAST_UNKNOWN) return [];
  return [
    {
      kind: 'unknown_costs',
      text: worded(
        `Of ${unknown.toFixed(1)} % of product revenue the purchase cost or the VAT is not known.`,
        'trust.unknown-costs',
        { percent: { percent: Number(unknown.toFixed(1)) } },
      ),
      touches: worded('gross profit and margins: they are of the rest alone', 'touch.profit'),
      affected_share: roundedRatio(unknown, 1),
    },
  ];
}

function adCosts({ days, timezone, facts }: Known): TrustRow[] {
  const asked = { firstDate: days.from, lastDate: days.to };
  const notes = adCostDaysNotes(asked, timezone, facts);
  return notes.map((text) => ({
    kind: 'ad_costs',
    text,
    touches: worded('advertising costs, costs of a new customer, returns on them', 'touch.ads'),
    affected_share: null,
  }));
}

function withoutRate(known: Known): TrustRow[] {
  const rows = (known.found.unpriced ?? []) as unknown as readonly Unpriced[];
  if (rows.length === 0) return [];
  const of = rows
    .filter(({ kind }) => kind === 'orders')
    .reduce((sum, { pieces_count }) => sum + pieces_count, 0);
  const { orders_count } = totalOf(known.found, periodNeed(known), 0, known.facts);
  return [
    {
      kind: 'no_exchange_rate',
      text: worded(
        `Without an exchange rate to ${known.currency}: ${listUnpriced(rows)}. They are counted, and their money is in no amount.`,
        'trust.no-rate',
      ),
      touches: worded('all amounts of money', 'touch.money'),
      affected_share: of === 0 ? null : percentOfKnown(of, orders_count ?? null),
    },
  ];
}

/** A kind of data that ends this many days before another is probably not loaded any more. */
const STALE_DAYS = 2;

function staleSources({ facts, timezone, byDay, days }: Known): TrustRow[] {
  const latest = localDate(facts.latest_at, timezone);
  return (['orders', 'sessions', 'messages'] as const).flatMap((source) => {
    const until = facts[`${source}_until`];
    if (until === null) return [];
    const last = localDate(until, timezone);
    const behind = last.until(latest, { largestUnit: 'day' }).days;
    const pause = source === 'messages' ? longestPause(byDay.messages) : 0;
    if (behind < Math.max(STALE_DAYS, pause + 1)) return [];
    const missing = Math.min(
      periodDates({ days }).length,
      Math.max(0, last.until(days.to, { largestUnit: 'day' }).days),
    );
    return [
      {
        kind: 'stale_source',
        text: worded(
          `${SOURCE_TEXTS[source]} are loaded until ${last} alone, other data until ${latest}.`,
          'trust.stale',
          {
            source: { say: SOURCES_IN_WORDS[source] },
            day: { day: last.toString() },
            latest: { day: latest.toString() },
          },
        ),
        touches: touched(source),
        affected_share: roundedPercent(missing, periodDates({ days }).length),
      },
    ];
  });
}

const SOURCE_TEXTS = { orders: 'Orders', sessions: 'Visits', messages: 'Messages' } as const;

/** The most days between two on which e-mails were sent. */
function longestPause(rows: RowsByKey): number {
  const sent = [...rows.keys()].toSorted();
  const pauses = sent.map((date, place) =>
    place === 0 ? 0 : (Date.parse(date) - Date.parse(sent[place - 1] as string)) / 86_400_000,
  );
  return Math.max(0, ...pauses);
}

/** The stock is that of the end of the data: it is no fault of judged days that end longer before. */
const STOCK_DAYS = 7;

function soldStock({ found, timezone, facts, days }: Known): TrustRow[] {
  const last = facts.orders_until === null ? null : localDate(facts.orders_until, timezone);
  if (last === null || days.to.until(last, { largestUnit: 'day' }).days > STOCK_DAYS) return [];
  const [stock] = (found.stock ?? []) as unknown as readonly StaleStock[];
  if (stock === undefined || stock.sold_count === 0 || stock.last_at === null) return [];
  const { sold_count: sold, all_count: all, pieces_count: pieces, last_at } = stock;
  const day = localDate(last_at, timezone).toString();
  return [
    {
      kind: 'stale_stock',
      text: worded(
        `${sold} of ${plural(all, 'product', 'products')} sold ${plural(pieces, 'piece', 'pieces')} after the stock last changed or was told: probably so much less is there. The newest stock of any is of ${day}.`,
        'trust.sold-stock',
        { sold: { number: sold }, all: { number: all }, pieces: { number: pieces }, day: { day } },
      ),
      touches: worded('stock, days of cover', 'touch.stock'),
      affected_share: roundedPercent(sold, all),
    },
  ];
}

/** The smallest part of a day whose absence is told. */
const LEAST_HOURS = 1;

function partialDay({ facts, timezone, days }: Known): TrustRow[] {
  if (facts.orders_until === null) return [];
  const last = localDate(facts.orders_until, timezone);
  if (!last.equals(days.to.add({ days: 1 }))) return [];
  const until = Date.parse(facts.orders_until);
  const [start, end] = [last, last.add({ days: 1 })].map(
    (day) => day.toZonedDateTime(timezone).toInstant().epochMilliseconds,
  ) as [number, number];
  const missing = end - until;
  if (missing < LEAST_HOURS * 3_600_000) return [];
  return [
    {
      kind: 'partial_day',
      text: worded(
        `${last} is loaded until ${facts.orders_until} alone, so it is not judged.`,
        'trust.partial-day',
        { day: { day: last.toString() }, moment: { moment: facts.orders_until } },
      ),
      touches: worded('every range that has this day', 'touch.day'),
      affected_share: roundedPercent(missing, end - start),
    },
  ];
}

function duplicates({ found, currency }: Known): TrustRow[] {
  const [row] = (found.duplicates ?? []) as unknown as readonly Duplicates[];
  if (row === undefined || row.more_count === 0) return [];
  const money =
    row.more_revenue === null ? '' : ` (${row.more_revenue} ${currency ?? ''})`.replace(' )', ')');
  return [
    {
      kind: 'duplicates',
      text: worded(
        `${plural(row.more_count, 'order has', 'orders have')} the customer, the amount and the second of another one${money}: ${row.more_count === 1 ? 'it was' : 'they were'} probably loaded twice.`,
        'trust.twice',
        { count: row.more_count },
      ),
      touches: worded('orders, revenue, repeat purchases', 'touch.repeats'),
      affected_share: roundedPercent(row.more_count, row.all_count),
    },
  ];
}

function bots(known: Known): TrustRow[] {
  const { sessions_count, suspected_bot_sessions_count: suspected } = totalOf(
    known.found,
    periodNeed(known),
    0,
    known.facts,
  );
  if (sessions_count == null || suspected == null) return [];
  const all = sessions_count + suspected;
  if (all === 0 || suspected / all < LEAST_BOTS) return [];
  return [
    {
      kind: 'bots',
      text: worded(
        `${suspected} of ${all} visits look like bots; they are left out everywhere.`,
        'trust.bots',
        {
          bots: { number: suspected },
          all: { number: all },
        },
      ),
      touches: worded('nothing, unless some of them are people: then visits are too low', 'touch.bots'),
      affected_share: roundedPercent(suspected, all),
    },
  ];
}
