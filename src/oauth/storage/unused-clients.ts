import type { ExpressionBuilder } from 'kysely';
import type { ControlSchema } from '../../control/database/control-database.ts';

/** Whether nobody ever connected a client, as a condition on `oauth_clients`. */
export function isUnused({ not, exists, selectFrom }: ExpressionBuilder<ControlSchema, 'oauth_clients'>) {
  return not(
    exists(
      selectFrom('grants').select('grant_id').whereRef('grants.client_id', '=', 'oauth_clients.client_id'),
    ),
  );
}
