import * as column from '../columns.ts';
import type { CanonicalTable } from '../table.ts';

export const sendingDomains: CanonicalTable = {
  name: 'sending_domains',
  key: ['domain'],
  columns: {
    domain: column.host({ required: true }),
    spf: column.label(),
    dkim: column.label(),
    dmarc: column.label(),
    one_click_unsubscribe: column.flag(),
    external_spam_rate: column.percent(),
  },
};
