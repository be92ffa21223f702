import type { Business } from '../../src/business/business.ts';
import { everythingKept } from '../support/everything-kept.ts';
import type { TestInstance } from '../support/test-instance.ts';

/** Jana, of whom nothing may stay, and others whose rows stand beside hers. */
export const JANAS_SHOP = {
  'profiles.csv': `profile_id,email,phone
jana-profile,jana@example.com,+420777000111
petr-profile,petr@example.com,+420777000111
`,
  'identities.csv': 'profile_id,kind,value\njana-profile,visitor,jana-visitor\n',
  'orders.csv': `order_id,ordered_at,total,profile_id,email,visitor_id
jana-order-1,2024-01-01,1,jana-profile,,
jana-order-2,2024-01-02,2,,jana@example.com,jana-tablet
petr-order,2024-01-03,4,petr-profile,jana@example.com,
`,
  'order_items.csv':
    'order_id,external_product_id,quantity,unit_price\njana-order-1,P,1,1\npetr-order,P,1,1\n',
  'sessions.csv': `session_id,visitor_id,started_at
jana-session-1,jana-visitor,2024-01-01T10:00:00
jana-session-2,jana-tablet,2024-01-02T10:00:00
other-session,other-visitor,2024-01-02T10:00:00
`,
};

/** All that the files below the business's folder hold: as bytes, and the cells of tables. */
export async function textsKept({ instance }: TestInstance, { business_id }: Business): Promise<string> {
  const kept = await everythingKept(instance.data.business(business_id));
  return [...kept.values()].join('\n').toLowerCase();
}
