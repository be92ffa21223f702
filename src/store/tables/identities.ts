import * as column from '../columns.ts';
import type { CanonicalTable } from '../table.ts';

export const identities: CanonicalTable = {
  name: 'identities',
  key: ['profile_id', 'kind', 'value'],
  columns: {
    profile_id: column.personId({ required: true }),
    kind: column.oneOf(['visitor', 'email', 'phone', 'external_customer_id'], { required: true }),
    value: column.identityValue(),
  },
};
