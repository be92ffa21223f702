import type { Products } from './conditions.ts';
import type { Condition, SegmentQuery } from './parse.ts';

/** What a query names by its id. A `master_product` is shown as a `product`. */
export type ReferenceType =
  | 'interest_list'
  | 'segment'
  | 'rfm_profile'
  | 'product'
  | 'master_product'
  | 'category'
  | 'brand'
  | 'campaign';

export interface Reference {
  readonly type: ReferenceType;
  readonly id: string;
}

/** All that the query names, each once, as they come. Saved segments are named, not looked into. */
export function queryReferences({ segments }: Pick<SegmentQuery, 'segments'>): Reference[] {
  const found = segments.flat().flatMap((block) => (block.type === null ? [] : blockReferences(block)));
  return [...new Map(found.map((reference) => [referenceKey(reference), reference])).values()];
}

/** The interest lists whose members the query takes, each once: not those whose members it leaves out. */
export function targetedLists({ segments }: SegmentQuery): string[] {
  const codes = segments.flat().flatMap((condition) => {
    if (condition.type !== 'interest_list') return [];
    const { operator, negate, value } = condition.block;
    return operator === (negate ? 'is_not_subscribed' : 'is_subscribed') ? value : [];
  });
  return [...new Set(codes)];
}

export function referenceKey({ type, id }: Reference): string {
  return `${type} ${id}`;
}

function blockReferences({ type, block }: Condition): Reference[] {
  switch (type) {
    case 'interest_list':
    case 'segment':
      return named(type, block.value);
    case 'campaign':
      return named(type, block.value ?? []);
    case 'rfm_segment':
    case 'rfm_score':
      return named(
        'rfm_profile',
        block.value.rfm_profile_id === undefined ? [] : [block.value.rfm_profile_id],
      );
    case 'bought':
    case 'viewed':
    case 'added_to_cart':
    case 'watched':
      return productReferences(block.of);
    default:
      return [];
  }
}

function productReferences(of: Products): Reference[] {
  return [
    ...named('product', of.product ?? []),
    ...named('master_product', of.master_product ?? []),
    ...named('category', of.category ?? []),
    ...named('brand', of.brand ?? []),
  ];
}

function named(type: ReferenceType, ids: readonly string[]): Reference[] {
  return ids.map((id) => ({ type, id }));
}
