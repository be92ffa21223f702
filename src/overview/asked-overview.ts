import { MessageError } from '../messages/message-error.ts';
import { BREAKDOWNS, type Breakdown } from '../time/periods.ts';
import { CARDS, LIST_KEYS, type ListKey } from './cards-and-lists.ts';
import { type Filter, readFilters } from './filters.ts';
import { type AskedPeriod, oneOf, readPeriod } from './page-periods.ts';

/** What the address of the page asks for. */
export interface AskedOverview extends AskedPeriod {
  /** The key of the card whose number is drawn along time. */
  readonly show: string;
  /** What one point of that picture is; null: what suits the number of days. */
  readonly by: Breakdown | null;
  /** The list of which all rows are shown; null: of each there are a few. */
  readonly all: ListKey | null;
  /** The page is about the part of the store for which all of these hold. */
  readonly filters: readonly Filter[];
}

/** The picture where the address does not say which. */
export const SHOWN_FIRST = 'revenue';

/** Keys of what can be drawn along time. */
const DRAWN: readonly string[] = CARDS.flatMap(({ key, more }) => ('trend' in more ? [key] : []));

/**
 * Reads the query of an address.
 *
 * @example
 * readAsked({ period: 'month', compare: 'year', show: 'orders', by: 'week', country: 'CZ' });
 * @throws MessageError that says what is allowed
 */
export function readAsked(query: Readonly<Record<string, string | undefined>>): AskedOverview {
  const { show = SHOWN_FIRST, all = '' } = query;
  if (!DRAWN.includes(show))
    throw new MessageError('overview.one-of', { name: 'show', allowed: DRAWN.join(', ') });
  const list = LIST_KEYS.find((key) => key === all) ?? null;
  if (all !== '' && list === null)
    throw new MessageError('overview.one-of', { name: 'all', allowed: LIST_KEYS.join(', ') });
  const by = query.by === undefined || query.by === '' ? null : oneOf('by', query.by, BREAKDOWNS, 'day');
  return { ...readPeriod(query), show, by, all: list, filters: readFilters(query) };
}
