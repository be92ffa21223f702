import { constants, setPriority } from 'node:os';
import type { Statement, StatementOutcome } from '../../answers/caller-statement.ts';
import { InputError } from '../../errors.ts';
import { workForParent } from '../../processes/work-for-parent.ts';
import { runStatement, type StatementFiles } from './run-statement.ts';

/** What the parent asks of this program, which it starts for one statement. */
export interface StatementJob extends StatementFiles {
  readonly statement: Statement;
}

/** A refusal is an answer too: its words are for the caller, those of an error for the log alone. */
export type StatementAnswer =
  | { readonly outcome: StatementOutcome }
  | { readonly refused: { readonly message: string; readonly hint: string | undefined } };

// Other calls come first.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
await workForParent(async (given, { signal }): Promise<StatementAnswer> => {
  const { statement, ...files } = given as StatementJob;
  try {
    return { outcome: await runStatement(files, statement, signal) };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { refused: { message: error.message, hint: error.hint } };
  }
});
process.exit(0);
