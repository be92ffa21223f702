import * as column from '../columns.ts';
import type { CanonicalTable } from '../table.ts';

export const sendingDomains: CanonicalTable = {
  name: 'sending_domains',
  key: ['domain'],
  columns: {
    domain: column.text({ required: true }),
    spf: column.text(),
    dkim: column.text(),
    dmarc: column.text(),
    one_click_unsubscribe: column.flag(),
    external_spam_rate: column.percent(),
  },
};
