import { flag, name, percent } from '../../../model-table/column-kinds.ts';
import { modelTable, relation } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';

export const sendingDomains = modelTable({
  name: 'sending_domains',
  scope: 'whole',
  meaning: 'The domains that e-mails are sent from, as they were loaded.',
  columns: {
    domain: name,
    spf: name,
    dkim: name,
    dmarc: name,
    one_click_unsubscribe: flag,
    external_spam_rate: percent,
  },
  order: [],
  rows: relation`
select lower("domain") as domain, lower(spf) as spf, lower(dkim) as dkim, lower(dmarc) as dmarc, one_click_unsubscribe,
  external_spam_rate
from ${stored.sendingDomains} order by domain`,
});
