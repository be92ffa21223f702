import type { Permission } from '../../business/business.ts';

interface PermissionText {
  /** The label beside the name of a business. */
  readonly label: string;
  /** What an app reads with it. */
  readonly sentence: string;
}

/** The permissions in plain English. A permission may be named after managing something; every tool only reads. */
export const PERMISSION_TEXTS: Readonly<Record<Permission, PermissionText>> = {
  DISPLAY_ANALYTICS_DASHBOARD: {
    label: 'statistics',
    sentence:
      'Statistics: orders, revenue, products, customers, visits, e-mails and text messages, as totals and rates.',
  },
  LIST_PRODUCT: {
    label: 'products',
    sentence: 'The product catalogue: names, brands, categories, prices and availability.',
  },
  LIST_CAMPAIGNS: {
    label: 'campaigns',
    sentence: 'Campaigns and saved segments: set-up, content, and whom they are for.',
  },
  MANAGE_INTEREST_LISTS: {
    label: 'interest lists',
    sentence: 'Interest lists: names and settings.',
  },
  QUERY_DATA: {
    label: 'single rows',
    sentence:
      'Single orders, visits and messages, and which of them are the same person’s: any question in SQL, if this server allows it.',
  },
};
