import type { ToolGroup } from '../../business/tool-groups.ts';

/**
 * What is read together: what its numbers are about unless their definition says another, and where they are
 * defined.
 */
export const TOPICS = {
  Orders: { basis: 'orders placed in the range', uri: 'analytics://metrics' },
  Products: {
    basis: 'orders placed and pages viewed in the range; catalogue and lists: now',
    uri: 'analytics://metrics',
  },
  'Order patterns': { basis: 'orders placed in the range', uri: 'analytics://metrics' },
  Traffic: { basis: 'sessions started and orders placed in the range', uri: 'analytics://metrics' },
  'E-mail, SMS, popups': {
    basis: 'messages sent in the range, with all that followed; `_revenue_`: orders placed in the range',
    uri: 'analytics://metrics',
  },
  Subscribers: { basis: 'states at a moment, changes in the range; lists: now', uri: 'analytics://metrics' },
  Lists: { basis: 'all rows that match', uri: 'analytics://metrics' },
  'Campaign statistics': {
    basis: 'messages sent in the range, with all that followed',
    uri: 'analytics://campaign-categories',
  },
  Campaigns: { basis: 'campaigns as they are set up now', uri: 'analytics://campaign-categories' },
  Segments: { basis: 'profiles as they are now', uri: 'segmentation://conditions' },
  RFM: { basis: 'state at a moment; transitions: between two', uri: 'analytics://rfm-segments' },
} as const;

export type Topic = keyof typeof TOPICS;

/** The topic of numbers that belong to many topics. */
export const MANY_TOPICS = 'Lists' satisfies Topic;

export const TOPIC_OF_GROUP: Readonly<Record<ToolGroup, Topic>> = {
  Businesses: 'Orders',
  Orders: 'Orders',
  'Product analytics': 'Products',
  'Order patterns': 'Order patterns',
  Traffic: 'Traffic',
  'Email analytics': 'E-mail, SMS, popups',
  'SMS analytics': 'E-mail, SMS, popups',
  Subscribers: 'Subscribers',
  RFM: 'RFM',
  'Campaign statistics': 'Campaign statistics',
  Products: 'Products',
  Campaigns: 'Campaigns',
  Segments: 'Segments',
  'Interest lists': 'Subscribers',
};
