import { flag, key } from '../../../model-table/column-kinds.ts';
import { modelTable, relation } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';
import { personOf, persons } from '../../identity/tables/identity.ts';
import { interestLists } from './interest-lists.ts';

export const interestListMembers = modelTable({
  name: 'interest_list_members',
  scope: { person: 'customer_key' },
  meaning: `Who ever joined or left an interest list: whether they are on it now, and whether they ever left it, be they back or
not. At one moment, leaving counts. Who left without having joined was on it before the data.`,
  columns: { list_key: key, customer_key: key, is_member: flag, has_left: flag },
  order: ['list_key'],
  needs: [stored.interestListEvents, interestLists],
  rows: relation`
select list_key, customer_key,
  last(kind order by "at", kind) = 'subscribed' as is_member,
  bool_or(kind = 'unsubscribed') as has_left
from ${stored.interestListEvents} as e
join ${interestLists} using (code)
join ${persons} on person = ${personOf('e.profile_id', 'e.email_hash', 'null')}
group by list_key, customer_key
order by list_key, customer_key`,
});
