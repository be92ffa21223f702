import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

export const sendingDomains: CanonicalTable = {
  name: 'sending_domains',
  meaning: `One row per domain that e-mails are sent from. \`spf\`, \`dkim\` and \`dmarc\` are what a check of each said, for
example \`pass\`. \`external_spam_rate\` is the percentage of complaints that a mailbox provider reports of it.`,
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
