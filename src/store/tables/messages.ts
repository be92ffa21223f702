import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

export const messages: CanonicalTable = {
  name: 'messages',
  meaning: `One row per e-mail, SMS or popup of a campaign, and per variant of it. \`position\` is its place in the campaign,
\`delay_minutes\` how long it waits there. Of an A/B test \`variant\` names the variant, \`allocation\` is how many
percent get it, and \`is_winner_send\` marks what the rest got when the winner was known. \`text\` is the message
without HTML, or the SMS. \`popup_fields\` are the fields of a popup's form, for example \`email\`.`,
  key: ['message_id'],
  columns: {
    message_id: column.itemId({ required: true }),
    campaign_id: column.itemId({ required: true }),
    name: column.name(),
    position: column.integer({ fallback: '1' }),
    variant: column.name(),
    is_winner_send: column.flag({ fallback: 'false' }),
    allocation: column.percent(),
    channel: column.oneOf(['email', 'sms', 'popup'], { required: true }),
    subject: column.body(),
    preheader: column.body(),
    html: column.body(),
    text: column.body(),
    delay_minutes: column.integer(),
    is_active: column.flag({ fallback: 'true' }),
    product_ids: column.list('itemId'),
    has_recommendations: column.flag({ fallback: 'false' }),
    popup_fields: column.list('label'),
  },
};
