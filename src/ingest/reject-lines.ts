import type { SourceFile } from './files.ts';
import { findRecords } from './records.ts';
import type { Session } from './session.ts';

/** Gives the rejects of one file, which know their record, the line of the file on which it starts. */
export async function findRejectLines(session: Session, table: string, file: SourceFile): Promise<void> {
  const ofFile = `table_name = '${table}' and file = $file`;
  const rejected = await session.rows(`select distinct record, byte from rejects where ${ofFile}`, {
    file: file.name,
  });
  if (rejected.length === 0) return;
  if (file.format === 'parquet') {
    await session.run(`update rejects set line = record where ${ofFile}`, { file: file.name });
    return;
  }
  const { lines, bytes } = await findRecords(file);
  const malformed = new Map(
    rejected.flatMap(({ byte }) => (byte === null ? [] : [[Number(byte), recordAt(bytes, Number(byte))]])),
  );
  const isMalformed = new Set(malformed.values());
  const headers = file.format === 'csv' ? 1 : 0;
  const wellFormed = lines.filter((_, index) => index >= headers && !isMalformed.has(index));
  const found = rejected.map(({ record, byte }) => ({
    record,
    byte,
    line: record === null ? lines[malformed.get(Number(byte)) ?? 0] : wellFormed[Number(record) - 1],
  }));
  await session.run(
    `update rejects set line = found.line
      from (
        select unnest(from_json($found, '[{"record": "BIGINT", "byte": "BIGINT", "line": "BIGINT"}]'), recursive := true)
      ) as found
      where ${ofFile} and rejects.record is not distinct from found.record
        and rejects.byte is not distinct from found.byte`,
    { file: file.name, found: JSON.stringify(found) },
  );
}

/** The record that a byte is in: the last one that starts before it. */
function recordAt(starts: readonly number[], byte: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) < byte) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
