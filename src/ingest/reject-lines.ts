import type { Session } from '../store/duckdb-session.ts';
import type { SourceFile, TranslatedRows } from './find-files.ts';
import { type Reader, unpacked } from './gzip.ts';
import { RecordScanner } from './record-scanner.ts';
import { MOST_LISTED } from './rejects.ts';

/**
 * Gives the first rejects of one file, which know their record, the line of the file on which it starts.
 * Lists are in the order of lines; the other rejects keep a null line and are in no list.
 *
 * @param most rows whose rejects get a line, of well-formed ones and of malformed ones: as many as a list has
 */
export async function findRejectLines(
  session: Session,
  table: string,
  file: SourceFile | TranslatedRows,
  most = MOST_LISTED,
): Promise<void> {
  if (file.format === 'translated') {
    await findOrigins(session, table, file);
    for (const origin of file.origins) await findRejectLines(session, table, origin.file, most);
    return;
  }
  const ofFile = `table_name = '${table}' and file = $file`;
  if (file.format === 'parquet') {
    await session.run(`update rejects set line = record where ${ofFile} and line is null`, {
      file: file.name,
    });
    return;
  }
  const { records, bytes } = await firstRejected(session, `${ofFile} and line is null`, file, most);
  if (records.length + bytes.length === 0) return;
  const places = new Places(records, await malformedBytes(session, file));
  await places.find(session, file);
  const found = [
    ...records.map((record) => ({ record, byte: null, line: places.lineOfRecord(record) })),
    ...bytes.map((byte) => ({ record: null, byte, line: places.lineOfByte(byte) })),
  ];
  await session.run(
    `update rejects set line = found.line
      from (
        select unnest(from_json($found, '[{"record": "BIGINT", "byte": "BIGINT", "line": "BIGINT"}]'), recursive := true)
      ) as found
      where ${ofFile} and rejects.line is null and rejects.record is not distinct from found.record
        and rejects.byte is not distinct from found.byte`,
    { file: file.name, found: JSON.stringify(found) },
  );
}

/** Rejects of translated rows become rejects of the rows that those were made of. */
async function findOrigins(session: Session, table: string, rows: TranslatedRows): Promise<void> {
  for (const { file, firstRow, endRow } of rows.origins) {
    await session.run(
      `update rejects set file = $file, record = translated._row - ${firstRow} + 1
        from "${rows.table}" as translated
        where table_name = '${table}' and rejects.file = $rows and translated.rowid = record - 1
          and translated._row >= ${firstRow} and translated._row < ${endRow}`,
      { file: file.name, rows: rows.name },
    );
  }
}

/** Where staged rows stand, for a person: `orders.csv line 3`. The rejects of the files are known by now. */
export async function findPlaces(
  session: Session,
  file: SourceFile | TranslatedRows,
  records: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (records.length === 0) return new Map();
  if (file.format === 'translated') {
    const rows = await session.rows(
      `select rowid + 1 as record, _row as row from "${file.table}" where rowid + 1 in (${records.join(', ')})`,
    );
    const places = new Map<number, string>();
    for (const origin of file.origins) {
      const own = rows.filter(({ row }) => Number(row) >= origin.firstRow && Number(row) < origin.endRow);
      const lines = await findLines(
        session,
        origin.file,
        own.map(({ row }) => Number(row) - origin.firstRow + 1),
      );
      for (const { record, row } of own)
        places.set(
          Number(record),
          `${origin.file.name} line ${lines.get(Number(row) - origin.firstRow + 1)}`,
        );
    }
    return places;
  }
  const lines = await findLines(session, file, records);
  return new Map([...lines].map(([record, line]) => [record, `${file.name} line ${line}`]));
}

/** The lines on which well-formed records of a file start, by their numbers. */
export async function findLines(
  session: Session,
  file: SourceFile,
  records: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (records.length === 0 || file.format === 'parquet')
    return new Map(records.map((record) => [record, record]));
  const places = new Places(numbersOf([...records]), await malformedBytes(session, file));
  await places.find(session, file);
  return new Map(records.map((record) => [record, places.lineOfRecord(record)]));
}

/** The first rejected rows, well-formed and malformed ones, ascending. */
async function firstRejected(
  session: Session,
  condition: string,
  file: SourceFile,
  most: number,
): Promise<{ records: number[]; bytes: number[] }> {
  const found = await session.rows(
    `(select distinct record, cast(null as bigint) as byte from rejects where ${condition} and record is not null order by record limit ${most})
      union all
      (select distinct null, byte from rejects where ${condition} and byte is not null order by byte limit ${most})`,
    { file: file.name },
  );
  return {
    records: numbersOf(found.map(({ record }) => record)),
    bytes: numbersOf(found.map(({ byte }) => byte)),
  };
}

async function malformedBytes(session: Session, file: SourceFile): Promise<number[]> {
  const malformed = await session.rows(
    `select distinct byte from rejects where file = $file and byte is not null`,
    { file: file.name },
  );
  return numbersOf(malformed.map(({ byte }) => byte));
}

/** The different numbers in ascending order. */
function numbersOf(values: readonly unknown[]): number[] {
  const numbers = values.filter((value) => value !== null).map(Number);
  return [...new Set(numbers)].sort((one, other) => one - other);
}

/**
 * Goes through a file once and notes the lines of some records: of well-formed ones by their number among
 * these, of malformed ones by a byte in them.
 */
class Places {
  readonly #records: readonly number[];
  readonly #bytes: readonly number[];
  readonly #lineOfRecord = new Map<number, number>();
  readonly #lineOfByte = new Map<number, number>();

  /** The records and bytes, both ascending. */
  constructor(records: readonly number[], bytes: readonly number[]) {
    this.#records = records;
    this.#bytes = bytes;
  }

  lineOfRecord(record: number): number {
    return this.#lineOfRecord.get(record) ?? 0;
  }

  lineOfByte(byte: number): number {
    return this.#lineOfByte.get(byte) ?? 0;
  }

  async find(reader: Reader, file: SourceFile): Promise<void> {
    // The header is record 0.
    let record = file.format === 'csv' ? -1 : 0;
    let nextRecord = 0;
    let nextByte = 0;
    let lastLine = 0;
    const scanner = new RecordScanner(file, {
      record: (line, start, end) => {
        lastLine = line;
        let isMalformed = false;
        for (let byte = this.#bytes[nextByte]; byte !== undefined && byte <= end; ) {
          isMalformed ||= byte > start;
          this.#lineOfByte.set(byte, line);
          nextByte += 1;
          byte = this.#bytes[nextByte];
        }
        if (isMalformed) return;
        record += 1;
        if (record !== this.#records[nextRecord]) return;
        this.#lineOfRecord.set(record, line);
        nextRecord += 1;
      },
      broken: () => {},
      looksLikeRows: () => {},
    });
    for await (const chunk of unpacked(reader, file)) scanner.write(chunk);
    scanner.end();
    // If the end of the file cuts off the last row, DuckDB names the byte behind it.
    for (const byte of this.#bytes.slice(nextByte)) this.#lineOfByte.set(byte, lastLine);
  }
}
