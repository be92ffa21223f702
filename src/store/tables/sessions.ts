import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

export const sessions: CanonicalTable = {
  name: 'sessions',
  meaning: `One row per visit of the store. \`source\`, \`medium\`, \`campaign\`, \`content\` and \`term\` are those of its UTM
tags, or as the analytics tool tells them. \`click_id_kind\` is the parameter that an advertising system adds to
links (\`gclid\`, \`gbraid\`, \`wbraid\` or \`msclkid\`); it and \`referrer_host\` tell where the visit came from
when the tags do not. \`engagement_s\` is the time in the foreground, \`cart\` whether something was put into a
cart, \`checkout\` whether the checkout was begun. A \`suspected_bot\` is left out of numbers, unless it ordered or
the question includes bots.`,
  key: ['session_id'],
  columns: {
    session_id: column.personId({ required: true }),
    visitor_id: column.personId({ required: true }),
    profile_id: column.personId(),
    email: column.email(),
    started_at: column.moment({ required: true }),
    ended_at: column.moment(),
    source: column.trafficName(),
    medium: column.trafficName(),
    campaign: column.trafficName(),
    content: column.trafficName(),
    term: column.trafficName(),
    click_id_kind: column.label(),
    referrer_host: column.host(),
    landing_path: column.path(),
    device: column.oneOf(['desktop', 'mobile', 'tablet', 'other']),
    country: column.label(),
    page_views: column.integer({ fallback: '1' }),
    engagement_s: column.seconds({ fallback: '0' }),
    cart: column.flag({ fallback: 'false' }),
    checkout: column.flag({ fallback: 'false' }),
    suspected_bot: column.flag({ fallback: 'false' }),
  },
  rules: [
    {
      column: 'ended_at',
      // Local times without an offset may seem to go back in the hour that clocks repeat.
      condition: 'ended_at is null or ended_at >= started_at - interval 1 hour',
      expected: 'must not be before started_at',
    },
    {
      column: 'page_views',
      condition: 'page_views between 0 and 1000000000',
      expected: 'must be between 0 and 10^9',
    },
  ],
};
