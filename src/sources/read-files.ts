import { findFiles } from '../ingest/find-files.ts';
import { spareWorkOfLittle } from '../ingest/spare-work.ts';
import type { Base } from '../snapshot/find-base.ts';
import { ImportError } from '../snapshot/import-errors.ts';
import type { Session } from '../store/duckdb-session.ts';
import { CANONICAL_TABLES } from '../store/tables/all-tables.ts';
import { plural } from '../text/plural.ts';
import { findInputs, type Input } from './files/inputs.ts';
import { openDuckdbFiles } from './fivetran/duckdb-files.ts';
import { tablesNotRead } from './fivetran/table-names.ts';
import type { FilesRequest } from './import-request.ts';
import { isOfMerchant } from './mapping/known-sources.ts';
import { type ReadFiles, type Recognised, recognise } from './recognise.ts';
import { UnreadFiles } from './unread-files.ts';
import { notRecognised } from './unrecognised.ts';

/**
 * Opens files and recognises of which source each is. @throws ImportError when none is known, or one cannot
 * be read
 */
export async function readFiles(
  session: Session,
  base: Base | null,
  { paths, format, known, settingsOf, landedAs, skipsUnreadable, onTables }: FilesRequest,
): Promise<ReadFiles> {
  const unread = new UnreadFiles(skipsUnreadable);
  if (format !== 'any') {
    const [folder = ''] = paths;
    const { files, warnings } = await findFiles(folder, CANONICAL_TABLES, session.meter);
    const recognised = { sources: new Map(), canonical: files, unknown: [], unknownTables: [], unread: [] };
    return { recognised, unread, notes: warnings };
  }
  const found = await findInputs(session, paths, unread);
  spareWorkOfLittle(
    session,
    found.map(({ path }) => path),
    base,
  );
  const { inputs, tables, notes } = await openDuckdbFiles(session, found, known, settingsOf, unread);
  const recognised = await recognise(session, inputs, known, settingsOf, unread, landedAs, tables);
  unread.refuse();
  await onTables?.(session, tablesToMap(recognised, inputs));
  refuseNothing(recognised, [...notes, ...unread.notes], paths);
  return { recognised, unread, notes };
}

/** Tables that a person may map, or has mapped. */
function tablesToMap({ sources, unknownTables }: Recognised, inputs: readonly Input[]) {
  const ofMerchant = [...sources].flatMap(([source, files]) =>
    isOfMerchant(source)
      ? inputs
          .filter(({ name }) => files.some(({ file }) => file.name === name))
          .map((input) => ({ input, source: source.name }))
      : [],
  );
  return [...unknownTables.map((input) => ({ input, source: null })), ...ofMerchant];
}

function refuseNothing(
  { sources, canonical, unknown, unread }: Recognised,
  opened: readonly string[],
  paths: readonly string[],
): void {
  if (sources.size + canonical.size > 0) return;
  const some = unknown.slice(0, MOST_UNKNOWN).map(notRecognised);
  const others = unknown.length - some.length;
  const notes = [
    ...opened,
    ...some,
    ...(others > 0 ? [`so are ${plural(others, 'other', 'others')}`] : []),
    ...tablesNotRead(unread),
  ];
  const found = notes.length === 0 ? `there is no file in ${paths.join(', ')}` : notes.join('\n');
  throw new ImportError(
    `nothing to import was recognised.\n${found}\nWhat is known: \`storesight source formats\`, or docs/sources`,
  );
}

/** This many files are described. A folder may hold thousands. */
const MOST_UNKNOWN = 3;
