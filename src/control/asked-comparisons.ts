import { z } from 'zod';
import type { ControlDatabase } from './database.ts';

/** A person's wish that the next run of a connection compares all ids of a kind. */
export interface AskedComparison {
  /** How many rows may go, whatever their share; null: as ever. */
  readonly mostGone: number | null;
  readonly asked_at: string;
}

const WISH = z.object({ mostGone: z.number().nullable(), asked_at: z.string() });

/** It lies where the places of streams do, whose names have no blank. */
function placeName(listing: string): string {
  return `${listing} asked`;
}

/** The last wish of a kind is the one that counts. */
export async function askForComparison(
  control: ControlDatabase,
  connection_id: string,
  listing: string,
  wish: AskedComparison,
): Promise<void> {
  const place = JSON.stringify(wish);
  await control
    .insertInto('connection_streams')
    .values({ connection_id, stream: placeName(listing), place, complete_until: null })
    .onConflict((conflict) => conflict.columns(['connection_id', 'stream']).doUpdateSet({ place }))
    .execute();
}

/** Null where nobody asked, or what was asked for is done. */
export async function askedComparison(
  control: ControlDatabase,
  connection_id: string,
  listing: string,
): Promise<AskedComparison | null> {
  const row = await control
    .selectFrom('connection_streams')
    .select('place')
    .where('connection_id', '=', connection_id)
    .where('stream', '=', placeName(listing))
    .executeTakeFirst();
  return row === undefined ? null : (WISH.safeParse(JSON.parse(row.place)).data ?? null);
}

/** Done, unless somebody asked for something else meanwhile. */
export async function endAskedComparison(
  control: ControlDatabase,
  connection_id: string,
  listing: string,
  wish: AskedComparison,
): Promise<void> {
  await control
    .deleteFrom('connection_streams')
    .where('connection_id', '=', connection_id)
    .where('stream', '=', placeName(listing))
    .where('place', '=', JSON.stringify(wish))
    .execute();
}
