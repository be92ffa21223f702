import { InputError } from '../errors.ts';

/** The groups of the contract, by the names with which a connection chooses some of them. */
export const TOOL_GROUPS = {
  businesses: 'Businesses',
  orders: 'Orders',
  'product-analytics': 'Product analytics',
  'order-patterns': 'Order patterns',
  traffic: 'Traffic',
  email: 'Email analytics',
  sms: 'SMS analytics',
  subscribers: 'Subscribers',
  rfm: 'RFM',
  'campaign-statistics': 'Campaign statistics',
  'interest-lists': 'Interest lists',
  products: 'Products',
  campaigns: 'Campaigns',
  segments: 'Segments',
} as const;

export type GroupName = keyof typeof TOOL_GROUPS;
export type ToolGroup = (typeof TOOL_GROUPS)[GroupName];

export const ALL_GROUPS = Object.keys(TOOL_GROUPS) as readonly GroupName[];

/**
 * `orders,email`: these of the allowed groups, in their own order, and `businesses`, without which no tool
 * can be asked. Without a choice: all that are allowed.
 *
 * @throws InputError when one does not exist, or is not allowed
 */
export function readGroups(text: string | null, allowed = ALL_GROUPS): readonly GroupName[] {
  const names = (text ?? '').split(',').flatMap((name) => name.trim() || []);
  if (names.length === 0) return allowed;
  const unknown = names.find((name) => !allowed.some((group) => group === name));
  if (unknown !== undefined) {
    throw new InputError(`there is no group ${unknown.slice(0, 60)}; groups are ${allowed.join(', ')}`);
  }
  return allowed.filter((group) => group === 'businesses' || names.includes(group));
}
