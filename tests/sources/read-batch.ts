import { rowsBeforeOf } from '../../src/ingest/deletions.ts';
import type { FilesRequest } from '../../src/sources/import-request.ts';
import { knownSources } from '../../src/sources/mapping/known-sources.ts';
import { readFiles } from '../../src/sources/read-files.ts';
import { type TranslatedBatch, translateFiles } from '../../src/sources/translate-files.ts';
import type { Session } from '../../src/store/duckdb-session.ts';

/** Reads and translates files as an import into an empty store does. */
export async function readBatch(
  session: Session,
  paths: readonly string[],
  options: Partial<FilesRequest> = {},
): Promise<TranslatedBatch> {
  const request: FilesRequest = {
    paths,
    format: 'any',
    known: knownSources([], new Map()),
    settingsOf: () => ({}),
    said: {},
    remembered: {},
    landedAs: new Map(),
    skipsUnreadable: false,
    ...options,
  };
  const read = await readFiles(session, null, request);
  return translateFiles(session, null, read, rowsBeforeOf(session, null), request);
}
