import { productSalesUntil, type SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import { plural } from '../../../../text/plural.ts';
import { localDate } from '../../../../time/moment.ts';
import { LEAST_DAYS, type ProductDays } from './lost-sales.ts';
import { HELD_DAYS, type KnownDays, lengthOf, type StockDays } from './stock-days.ts';
import type { LeftOut } from './stock-spells.ts';

/** Why there is no answer about stock at all, and what would be enough. */
export function noStockNotes(
  days: StockDays | null,
  hasReadings: boolean,
  facts: SnapshotFacts,
  timezone: string,
): string[] {
  if (!hasReadings)
    return [
      'Nothing is known of stock: it was never read. Import products with in_stock or stock_quantity again and again, connect a shop that tells them, or import stock_readings of the past.',
    ];
  if (days !== null) return [];
  const { orders_until } = facts;
  if (orders_until === null) return ['Nothing is told: no orders are loaded.'];
  return [
    productSalesUntil(facts) === null
      ? 'Nothing is told: no order lines are loaded.'
      : `Nothing is told: no whole day of the range has loaded orders, which end on ${localDate(orders_until, timezone)}.`,
  ];
}

interface Known {
  readonly rows: readonly { readonly own: ProductDays }[];
  readonly known: KnownDays;
  readonly left: LeftOut | undefined;
  readonly days: StockDays;
  readonly isRecent: boolean;
  readonly facts: SnapshotFacts;
  readonly timezone: string;
  /** The most products of the answer. */
  readonly shown: number;
}

/** What could be misread, the worst first. */
export function coverNotes(known: Known): string[] {
  return [
    ...readingNotes(known),
    ...unknownLossNotes(known),
    ...soldWithoutNotes(known),
    ...lossNotes(known),
    ...leftOutNotes(known),
  ];
}

function readingNotes({ known, days }: Known): string[] {
  const asked = lengthOf(days.from, days.to);
  const isKnown = known.isKnown.slice(-asked);
  const unknown = isKnown.filter((is) => !is).length;
  if (unknown === asked)
    return [
      `Nothing is known of stock on these days: nothing was read in them, nor in the ${HELD_DAYS} days before. Stock must be read at least weekly.`,
    ];
  if (unknown === 0 && 2 * known.readDays >= asked) return [];
  return [
    `Stock was read on ${known.readDays} of ${plural(asked, 'day', 'days')}. Between readings the last one holds, for at most ${HELD_DAYS} days: a stock-out that began and ended between them is not seen, and one that ended between them looks longer.${unknown === 0 ? '' : ` Of ${plural(unknown, 'day', 'days')} nothing is known.`}`,
  ];
}

function unknownLossNotes({ rows, isRecent }: Known): string[] {
  const unknown = rows.filter(({ own }) => own.withoutStock > 0 && (own.lost === null || own.price === null));
  return [
    ...(unknown.length === 0
      ? []
      : [
          `The total is without ${plural(unknown.length, 'product', 'products')}: fewer than ${LEAST_DAYS} days with stock in the range and the 8 weeks before, or nothing sold on them.`,
        ]),
    ...(isRecent
      ? []
      : ['cover_days is null: the range ends more than 28 days before the data do. Ask for a later one.']),
  ];
}

function soldWithoutNotes({ rows }: Known): string[] {
  const sold = rows.filter(({ own }) => own.soldWithout.days > 0);
  if (sold.length === 0) return [];
  const days = sold.reduce((sum, { own }) => sum + own.soldWithout.days, 0);
  const pieces = sold.reduce((sum, { own }) => sum + own.soldWithout.pieces, 0);
  return [
    `${plural(sold.length, 'product', 'products')} sold ${plural(pieces, 'piece', 'pieces')} on ${plural(days, 'day', 'days')} that a reading calls without stock: these are no days without stock, and nothing is learned from them.`,
  ];
}

function lossNotes({ rows }: Known): string[] {
  if (!rows.some(({ own }) => (own.lost?.value ?? 0) > 0)) return [];
  return [
    'Lost sales are what such days with stock sold: some customers bought another product or came later, so the shop lost less. A season, price or campaign of the product itself is not in them.',
  ];
}

function leftOutNotes({ left, days, rows, shown }: Known): string[] {
  const { discontinued_count = 0, unread_count = 0 } = left ?? {};
  const parts = [
    ...(unread_count === 0
      ? []
      : [`${plural(unread_count, 'product', 'products')} whose stock was not read until ${days.to}`]),
    ...(discontinued_count === 0 ? [] : [`${discontinued_count} discontinued`]),
  ];
  return [
    ...(days.askedTo.equals(days.to)
      ? []
      : [`Days after ${days.to} are not told: no orders are loaded to their end.`]),
    ...(parts.length === 0 ? [] : [`Left out: ${parts.join(', ')}.`]),
    ...(rows.length <= shown ? [] : [`Listed are ${shown} of ${rows.length} products; total is of all.`]),
  ];
}
