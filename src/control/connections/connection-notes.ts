import type { ControlDatabase } from '../database/control-database.ts';

/**
 * What others than its run write down of a connection, for its next run to read, as JSON. They lie where the
 * places of streams do, whose names have no blank as these have: `order-ids asked`.
 */
type NoteName = `${string} ${'otherwise' | 'asked' | 'said'}`;

/** Whether what lies there is a note, and no place. */
export function isNote(name: string): boolean {
  return name.includes(' ');
}

/** The last one of a name counts. */
export async function writeNote(
  control: ControlDatabase,
  connection_id: string,
  stream: NoteName,
  said: unknown,
): Promise<void> {
  const place = JSON.stringify(said);
  await control
    .insertInto('connection_streams')
    .values({ connection_id, stream, place, complete_until: null })
    .onConflict((conflict) => conflict.columns(['connection_id', 'stream']).doUpdateSet({ place }))
    .execute();
}

/** Undefined where there is none. */
export async function readNote(
  control: ControlDatabase,
  connection_id: string,
  stream: NoteName,
): Promise<unknown> {
  const row = await control
    .selectFrom('connection_streams')
    .select('place')
    .where('connection_id', '=', connection_id)
    .where('stream', '=', stream)
    .executeTakeFirst();
  return row === undefined ? undefined : JSON.parse(row.place);
}

/** Removes what was read and done; what somebody wrote meanwhile stays. */
export async function removeNote(
  control: ControlDatabase,
  connection_id: string,
  stream: NoteName,
  done: unknown,
): Promise<void> {
  await control
    .deleteFrom('connection_streams')
    .where('connection_id', '=', connection_id)
    .where('stream', '=', stream)
    .where('place', '=', JSON.stringify(done))
    .execute();
}
