import { open } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes `<folder>/<table>.ndjson`, one row per line; returns the number of rows. */
export async function writeTable(folder: string, table: string, rows: Iterable<object>): Promise<number> {
  const file = await open(join(folder, `${table}.ndjson`), 'w');
  try {
    let count = 0;
    let text = '';
    for (const row of rows) {
      text += `${JSON.stringify(row)}\n`;
      count++;
      if (text.length > chunkLength) {
        await file.write(text);
        text = '';
      }
    }
    await file.write(text);
    return count;
  } finally {
    await file.close();
  }
}

const chunkLength = 1_000_000;
