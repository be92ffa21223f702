import type { Permission } from '../../business/business.ts';
import type { PlainKey } from '../../messages/catalogue.ts';

interface PermissionText {
  /** The label next to the name of a business. */
  readonly label: PlainKey;
  /** What an app reads with the permission. */
  readonly sentence: PlainKey;
}

/**
 * The permissions in plain words. A permission may be named after managing something, but every tool only
 * reads.
 */
export const PERMISSION_TEXTS: Readonly<Record<Permission, PermissionText>> = {
  DISPLAY_ANALYTICS_DASHBOARD: {
    label: 'may.statistics',
    sentence: 'may.statistics-text',
  },
  LIST_PRODUCT: {
    label: 'may.products',
    sentence: 'may.products-text',
  },
  LIST_CAMPAIGNS: {
    label: 'may.campaigns',
    sentence: 'may.campaigns-text',
  },
  MANAGE_INTEREST_LISTS: {
    label: 'may.lists',
    sentence: 'may.lists-text',
  },
  QUERY_DATA: {
    label: 'may.rows',
    sentence: 'may.rows-text',
  },
};
