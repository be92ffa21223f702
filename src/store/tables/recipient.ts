import type { RowRule } from '../canonical-table.ts';

/** A row about a person must name one. */
export const somebody: RowRule = {
  column: 'profile_id',
  condition: 'profile_id is not null or email_hash is not null or phone_hash is not null',
  expected: 'is required where neither email nor phone names anybody',
};

export const somebodyByEmail: RowRule = {
  column: 'profile_id',
  condition: 'profile_id is not null or email_hash is not null',
  expected: 'is required where email names nobody',
};
