import { z } from 'zod';
import type { ControlDatabase } from '../database/control-database.ts';
import { readNote, removeNote, writeNote } from './connection-notes.ts';

const SAID = z.record(z.string(), z.string());

/**
 * Answers that hold for the next import of a connection alone, such as that it takes the place of what was
 * stored.
 */
export type RememberedAnswers = z.infer<typeof SAID>;

/** Remembers answers beside those that were given before and are not imported yet. */
export async function rememberAnswers(
  control: ControlDatabase,
  connection_id: string,
  said: RememberedAnswers,
): Promise<void> {
  // Two persons may answer at once, each another question.
  await control.transaction().execute(async (transaction) => {
    const before = await rememberedAnswers(transaction, connection_id);
    await writeNote(transaction, connection_id, 'import said', { ...before, ...said });
  });
}

/** Null where nothing was said. */
export async function rememberedAnswers(
  control: ControlDatabase,
  connection_id: string,
): Promise<RememberedAnswers | null> {
  return SAID.safeParse(await readNote(control, connection_id, 'import said')).data ?? null;
}

/** Forgets answers that are imported, unless somebody gave others meanwhile. */
export async function forgetAnswers(
  control: ControlDatabase,
  connection_id: string,
  said: RememberedAnswers,
): Promise<void> {
  await removeNote(control, connection_id, 'import said', said);
}
