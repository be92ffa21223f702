import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

export const identities: CanonicalTable = {
  name: 'identities',
  meaning: `What else a profile is called: \`value\` is a \`visitor_id\`, an e-mail address, a phone number or an
\`external_customer_id\`, as \`kind\` says.`,
  key: ['profile_id', 'kind', 'value'],
  columns: {
    profile_id: column.personId({ required: true }),
    kind: column.oneOf(['visitor', 'email', 'phone', 'external_customer_id'], { required: true }),
    value: column.identityValue(),
  },
};
