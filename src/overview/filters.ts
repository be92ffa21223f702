import { MessageError } from '../messages/message-error.ts';

/** What the page can be about a part of: dimensions of `query_metrics`. */
export const FILTERS = ['product', 'category', 'channel', 'country', 'coupon'] as const;
export type FilterName = (typeof FILTERS)[number];

/** A filter: only what belongs to this product, category, … counts. */
export interface Filter {
  readonly dimension: FilterName;
  /** The value as tools name it. For a product it is its `external_product_id`. */
  readonly value: string;
}

const LONGEST_VALUE = 500;

/**
 * Reads the filters of an address, such as `country=CZ`. All must hold.
 *
 * @throws MessageError for a value that is too long
 */
export function readFilters(query: Readonly<Record<string, string | undefined>>): readonly Filter[] {
  return FILTERS.flatMap((dimension) => {
    const value = query[dimension] ?? '';
    if (value.length > LONGEST_VALUE)
      throw new MessageError('overview.too-long', { name: dimension, most: LONGEST_VALUE });
    return value === '' ? [] : [{ dimension, value }];
  });
}

/**
 * Whether a row of a list is of one thing: others, and a name in quotes that looks like a row of others, are
 * not filtered by.
 */
export function canFilterBy(value: string): boolean {
  return value !== '' && value.length <= LONGEST_VALUE && value !== '(other)' && !value.startsWith('"(');
}
