import type { CanonicalTable } from '../canonical-table.ts';
import * as column from '../column-kinds.ts';

export const profiles: CanonicalTable = {
  name: 'profiles',
  meaning: `One row per person whom the shop or the tool that sends messages knows. \`attributes\` is an object of whatever is
known besides, for example \`{"favourite_sport": "running"}\`; segments can ask for each of them and for \`tags\`.`,
  key: ['profile_id'],
  isToldByMany: true,
  columns: {
    profile_id: column.personId({ required: true }),
    email: column.email(),
    phone: column.phone(),
    external_customer_id: column.personId(),
    country: column.label(),
    language: column.label(),
    gender: column.label(),
    birthday: column.date(),
    attributes: column.attributes(),
    tags: column.list('freeText'),
    created_at: column.moment(),
  },
};
