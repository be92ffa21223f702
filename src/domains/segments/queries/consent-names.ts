/**
 * How profiles stand to messages of a channel now: pending and unknown is never, all that ends a consent is
 * unsubscribed.
 */
export const CONSENT_GROUPS = ['subscribed', 'unsubscribed', 'never'] as const;
export type ConsentGroup = (typeof CONSENT_GROUPS)[number];

export type ConsentChannel = 'email' | 'sms';

export function groupFact(channel: ConsentChannel, group: ConsentGroup) {
  return `is_${channel}_${group}` as const;
}

export function buyerFact(channel: ConsentChannel, group: ConsentGroup) {
  return `is_${channel}_${group}_buyer` as const;
}

/** The columns of a group in the row of an estimate. */
export function consentColumns(group: ConsentGroup) {
  return {
    profiles: `${group}_profiles`,
    buyers: `${group}_buyers`,
    orders: `${group}_orders`,
    revenue: `${group}_revenue`,
  } as const;
}
