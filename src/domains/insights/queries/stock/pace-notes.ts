import { shownName } from '../../../../answers/existing-names.ts';
import { plural } from '../../../../text/plural.ts';
import type { StockTimes } from './stock-times.ts';

/** What the answer shows of a product, with the days behind it. */
export interface PacedProduct {
  readonly external_product_id: string;
  readonly cover_days: number | null;
  /** As `list_products` has it. */
  readonly days_of_cover: number | null;
  readonly lost_pieces: number | null;
  readonly times: StockTimes;
  /** The times at which `price` was below `original_price`, each without its last date; null: it still is. */
  readonly reduced: readonly { readonly from_date: string; readonly until_date: string | null }[];
}

const MOST_NAMED = 3;
const MOST_TIMES = 5;
/** Two covers are told beside each other when one is as many times the other. */
const DIFFERENT = 2;
/** Below this many days a cover says "order now", whichever it is. */
const SHORT = 7;

/** What the pace of a product hides. */
export function paceNotes(products: readonly PacedProduct[], to: string): string[] {
  return [...reducedNotes(products, to), ...otherCoverNotes(products)];
}

/** A pace at a reduced price says little of days at the full one. */
function reducedNotes(products: readonly PacedProduct[], to: string): string[] {
  const misleading = products.flatMap(({ external_product_id, times, reduced, ...product }) => {
    const isReduced = (date: string) =>
      reduced.some(
        ({ from_date, until_date }) => date >= from_date && (until_date === null || date < until_date),
      );
    const days = times.learned.filter(isReduced).length;
    const empty = times.empty.flatMap(({ from, to }) => [isReduced(from), isReduced(to)]);
    const wasFull = (product.lost_pieces ?? 0) > 0 && empty.some((is) => !is);
    const isFull = product.cover_days !== null && !isReduced(to);
    return 2 * days > times.learned.length && (wasFull || isFull)
      ? [{ external_product_id, told: `${days} of ${plural(times.learned.length, 'day', 'days')}` }]
      : [];
  });
  if (misleading.length === 0) return [];
  return [
    `At a reduced price (price below original_price) on most days that pieces_per_day is of: ${named(misleading)}. At full price fewer may sell: lost_pieces of days at full price is then too high, and cover_days too short.`,
  ];
}

function otherCoverNotes(products: readonly PacedProduct[]): string[] {
  const different = products.flatMap(({ external_product_id, cover_days: cover, days_of_cover: other }) => {
    if (cover === null || other === null) return [];
    const [least, most] = [Math.min(cover, other), Math.max(cover, other)];
    if (most < SHORT || most < DIFFERENT * least) return [];
    return [{ external_product_id, told: `${daysOf(cover)}, or ${daysOf(other)}` }];
  });
  if (different.length === 0) return [];
  return [
    `cover_days is by the days with stock of the range and the 8 weeks before, days_of_cover of list_products by all of the last 28 days, with or without stock; they differ: ${named(different)}. Say both.`,
  ];
}

function daysOf(days: number): string {
  return `${Math.round(days * 10) / 10}`;
}

/** When there was none of the products: the longest times, with their dates. */
export function emptyTimesNotes(products: readonly PacedProduct[]): string[] {
  const all = products
    .flatMap(({ external_product_id, times }) =>
      times.empty.map((time) => ({ ...time, external_product_id })),
    )
    .toSorted((one, other) => other.days - one.days || one.from.localeCompare(other.from));
  if (all.length === 0) return [];
  const shown = all
    .slice(0, MOST_TIMES)
    .map(
      ({ external_product_id, from, to, days }) =>
        `${shownName(external_product_id)} ${from === to ? from : `${from} to ${to}`} (${plural(days, 'day', 'days')})`,
    );
  const others = all.length - shown.length;
  return [
    `Without stock, the longest times of the listed products: ${shown.join(', ')}${others === 0 ? '' : `, and ${others} more`}.`,
  ];
}

function named(products: readonly { readonly external_product_id: string; readonly told: string }[]): string {
  const shown = products
    .slice(0, MOST_NAMED)
    .map(({ external_product_id, told }) => `${shownName(external_product_id)} ${told}`);
  const others = products.length - shown.length;
  return [...shown, ...(others === 0 ? [] : [`and ${others} more`])].join(', ');
}
