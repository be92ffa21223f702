import { fieldNames, type HasFields } from '../../../answers/field-names.ts';
import type { Arguments } from '../../../answers/tool.ts';

/** This field counts refunds of the orders of some people, whenever the refunds came. */
export const UNTIL_NOW = 'after_refunds_per_customer';

/**
 * These fields have refunds on the orders counted alone; elsewhere than beside the first ones a return is
 * that of a customer.
 */
const OF_COUNTED = ['refunded_revenue', 'revenue_after_refunds', UNTIL_NOW];
const BESIDE = ['refunded_quantity', 'return_rate', 'net_attributed_revenue'];

/**
 * What the answer has of refunds by the day of the order: it lacks those that the order does not have, or not
 * yet.
 */
export function ofRefunds(tool: HasFields, args: Arguments): readonly string[] {
  const possible = fieldNames(tool, { ...args, fields: [] });
  if (!OF_COUNTED.some((name) => possible.has(name))) return [];
  const names = fieldNames(tool, args);
  return [...OF_COUNTED, ...BESIDE].filter((name) => names.has(name));
}
