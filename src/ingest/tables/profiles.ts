import * as column from '../columns.ts';
import type { CanonicalTable } from '../table.ts';

export const profiles: CanonicalTable = {
  name: 'profiles',
  key: ['profile_id'],
  columns: {
    profile_id: column.text({ required: true }),
    email: column.email(),
    phone: column.phone(),
    external_customer_id: column.text(),
    country: column.text(),
    language: column.text(),
    gender: column.text(),
    birthday: column.date(),
    attributes: column.json(),
    tags: column.list(),
    created_at: column.moment(),
  },
};
