import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

export const productEvents: CanonicalTable = {
  name: 'product_events',
  meaning: `What a visitor did with a product. \`watchdog\` asks to be told when it is there again or cheaper. \`engagement_s\`
is how long a view was in the foreground; 1,800 seconds of it count at most.`,
  key: ['event_id'],
  columns: {
    event_id: column.recordId({ required: true }),
    visitor_id: column.personId({ required: true }),
    session_id: column.personId(),
    external_product_id: column.itemId({ required: true }),
    kind: column.oneOf(['view', 'add_to_cart', 'remove_from_cart', 'wishlist', 'watchdog'], {
      required: true,
    }),
    at: column.moment({ required: true }),
    engagement_s: column.seconds({ fallback: '0' }),
  },
};
