import { CAMPAIGN_STATES, CAMPAIGN_TYPES } from '../campaign-kinds.ts';
import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

export const campaigns: CanonicalTable = {
  name: 'campaigns',
  meaning: `One row per campaign. \`targeted-…\` is sent once, \`incremental-…\` is an automation, \`…-ab\` has variants.
\`category\` is what it is for, for example \`winback\`; where it is none that is known, a label or the type of the
trigger tells. \`trigger\` is \`{"type", "description", "delay_minutes", "re_entry_days"}\`, \`ab_test\` is
\`{"variants", "test_share", "decide_by", "decide_after_hours"}\`, \`frequency_cap\` is \`{"messages", "days"}\`,
\`sending_window\` is \`{"weekdays", "from_hour", "to_hour"}\`. \`segment_query\` says who gets it,
\`exclude_segment_query\` who does not, as \`segments\`. \`control_group_share\` is how many percent of the audience
are sent nothing. The UTM tags are those of its links: by them its visits are found.`,
  key: ['campaign_id'],
  columns: {
    campaign_id: column.itemId({ required: true }),
    name: column.name({ required: true }),
    campaign_type: column.oneOf(CAMPAIGN_TYPES, { required: true }),
    category: column.label(),
    state: column.oneOf(CAMPAIGN_STATES, { required: true }),
    trigger: column.settings(),
    labels: column.list('name'),
    created_at: column.moment({ required: true }),
    updated_at: column.moment(),
    scheduled_at: column.moment(),
    utm_source: column.trafficName(),
    utm_medium: column.trafficName(),
    utm_campaign: column.trafficName(),
    segment_query: column.settings(),
    exclude_segment_query: column.settings(),
    ab_test: column.settings(),
    control_group_share: column.percent(),
    frequency_cap: column.settings(),
    sending_window: column.settings(),
    sender_name: column.name(),
    sender_address: column.senderAddress(),
  },
};
