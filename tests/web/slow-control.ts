import { setTimeout } from 'node:timers/promises';
import type { ControlDatabase } from '../../src/control/database/control-database.ts';

/**
 * The same database, whose answers come later: requests at once overtake each other, as they do on
 * PostgreSQL.
 */
export function slowControl(control: ControlDatabase): ControlDatabase {
  return control.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await setTimeout(2);
      return result;
    },
  });
}
