import { z } from 'zod';
import { readNote, removeNote, writeNote } from './connection-notes.ts';
import type { ControlDatabase } from './database.ts';

const SAID = z.record(z.string(), z.string());

/** Answers that hold for the next import of a connection alone, such as that it takes the place of what was stored. */
export type SaidOnce = z.infer<typeof SAID>;

/** Beside what was said before and is not imported yet. */
export async function sayOnce(
  control: ControlDatabase,
  connection_id: string,
  said: SaidOnce,
): Promise<void> {
  // Two persons may answer at once, each another question.
  await control.transaction().execute(async (transaction) => {
    const before = await saidOnce(transaction, connection_id);
    await writeNote(transaction, connection_id, 'import said', { ...before, ...said });
  });
}

/** Null where nothing was said. */
export async function saidOnce(control: ControlDatabase, connection_id: string): Promise<SaidOnce | null> {
  return SAID.safeParse(await readNote(control, connection_id, 'import said')).data ?? null;
}

/** It is imported, unless somebody said something else meanwhile. */
export async function endSaidOnce(
  control: ControlDatabase,
  connection_id: string,
  said: SaidOnce,
): Promise<void> {
  await removeNote(control, connection_id, 'import said', said);
}
