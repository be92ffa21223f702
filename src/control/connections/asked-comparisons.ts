import { z } from 'zod';
import type { ControlDatabase } from '../database/control-database.ts';
import { readNote, removeNote, writeNote } from './connection-notes.ts';
import type { ListingName } from './other-origins.ts';

const ASKED = z.object({
  /** How many rows may go, whatever their share; null: as ever. */
  mostGone: z.number().nullable(),
  asked_at: z.string(),
});

/** A person's wish that the next run of a connection compares all ids of a kind. */
export type AskedComparison = z.infer<typeof ASKED>;

/** The last wish of a kind is the one that counts. */
export async function askForComparison(
  control: ControlDatabase,
  connection_id: string,
  listing: ListingName,
  asked: AskedComparison,
): Promise<void> {
  await writeNote(control, connection_id, `${listing} asked`, asked);
}

/** Null where nobody asked, or what was asked for is done. */
export async function askedComparison(
  control: ControlDatabase,
  connection_id: string,
  listing: ListingName,
): Promise<AskedComparison | null> {
  return ASKED.safeParse(await readNote(control, connection_id, `${listing} asked`)).data ?? null;
}

/** Marks the comparison as done, unless somebody asked for another one meanwhile. */
export async function endAskedComparison(
  control: ControlDatabase,
  connection_id: string,
  listing: ListingName,
  asked: AskedComparison,
): Promise<void> {
  await removeNote(control, connection_id, `${listing} asked`, asked);
}
