import type { Card } from './overview.ts';

/**
 * A store without any costs has 0 % of revenue with known costs, now and before, which reads like a result:
 * it is not known there. Where only one of both is 0, costs are known of some goods, and the fall to 0 or the
 * rise from it tells why the profits differ.
 */
export function withoutEmptyShare(card: Card): Card {
  if (card.key !== 'known' || card.value !== 0 || (card.before ?? 0) !== 0) return card;
  return { ...card, value: null, before: null, change: null };
}
