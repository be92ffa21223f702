/** A store whose data can be asked about. */
export interface Business {
  readonly business_id: string;
  readonly name: string;
  /** Public storefront URL. */
  readonly link: string | null;
  /** IANA name; null is read as UTC. */
  readonly timezone: string | null;
  /** ISO 4217 code; null means that money is summed as loaded. */
  readonly primary_currency: string | null;
}

/** The permissions of the contract. */
export const PERMISSIONS = [
  'DISPLAY_ANALYTICS_DASHBOARD',
  'LIST_CAMPAIGNS',
  'MANAGE_INTEREST_LISTS',
  'LIST_PRODUCT',
] as const;

/**
 * `QUERY_DATA` shows single persons, if without names: it is given by its name alone, and never along with
 * all others.
 */
export const EVERY_PERMISSION = [...PERMISSIONS, 'QUERY_DATA'] as const;
export type Permission = (typeof EVERY_PERMISSION)[number];

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
