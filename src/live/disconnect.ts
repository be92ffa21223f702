import { rm } from 'node:fs/promises';
import { type Connection, removeConnection } from '../control/connections.ts';
import type { DataFolder } from '../control/data-folder.ts';
import type { ControlDatabase } from '../control/database.ts';

/**
 * Removes a connection, its key and the rows it landed; what was imported stays.
 *
 * @throws InputError while a person waits to be forgotten
 */
export async function disconnect(
  { control, data }: { readonly control: ControlDatabase; readonly data: DataFolder },
  { business_id, connection_id }: Pick<Connection, 'business_id' | 'connection_id'>,
): Promise<void> {
  await removeConnection(control, connection_id);
  await rm(data.landed(business_id, connection_id), { recursive: true, force: true });
}
