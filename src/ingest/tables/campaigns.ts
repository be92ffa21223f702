import { CAMPAIGN_STATES, CAMPAIGN_TYPES } from '../../model/marketing/campaign-kinds.ts';
import * as column from '../columns.ts';
import type { CanonicalTable } from '../table.ts';

export const campaigns: CanonicalTable = {
  name: 'campaigns',
  key: ['campaign_id'],
  columns: {
    campaign_id: column.text({ required: true }),
    name: column.text({ required: true }),
    campaign_type: column.oneOf(CAMPAIGN_TYPES, { required: true }),
    category: column.text(),
    state: column.oneOf(CAMPAIGN_STATES, { required: true }),
    trigger: column.json(),
    labels: column.list(),
    created_at: column.moment({ required: true }),
    updated_at: column.moment(),
    scheduled_at: column.moment(),
    utm_source: column.text(),
    utm_medium: column.text(),
    utm_campaign: column.text(),
    segment_query: column.json(),
    exclude_segment_query: column.json(),
    ab_test: column.json(),
    control_group_share: column.percent(),
    frequency_cap: column.json(),
    sending_window: column.json(),
    sender_name: column.text(),
    sender_address: column.text(),
  },
};
