import { localDate } from '../../../model-table/business-values.ts';
import { date, key, moment, name, optionalMoment } from '../../../model-table/column-kinds.ts';
import { modelTable, relation } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';
import { personOf, persons } from '../../identity/tables/identity.ts';
import { knownCampaigns } from '../../messages/tables/campaign-contents.ts';

export const audienceMembers = modelTable({
  name: 'audience_members',
  scope: { person: 'customer_key' },
  meaning: 'Who entered a campaign, and what came of it.',
  columns: {
    campaign_key: key,
    customer_key: key,
    entered_at: moment,
    entered_date: date,
    outcome: name,
    completed_at: optionalMoment,
  },
  order: ['entered_at'],
  needs: [stored.audienceMembers, knownCampaigns],
  rows: relation`
select campaign_key, customer_key, entered_at, ${localDate('entered_at')} as entered_date, outcome, completed_at
from ${stored.audienceMembers} as a
join ${knownCampaigns} using (campaign_id)
join ${persons} on person = ${personOf('a.profile_id', 'a.email_hash', 'null')}
order by entered_at, campaign_key, customer_key`,
});
