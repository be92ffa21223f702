import { readSourceSettings } from '../control/businesses/source-settings.ts';
import type { Upload } from '../control/businesses/uploads.ts';
import type { ImportContext } from '../snapshot/import-context.ts';
import { ImportError } from '../snapshot/import-errors.ts';
import type { OnTables } from '../sources/import-request.ts';
import type { MappingText } from '../sources/mapping/known-sources.ts';
import { readMapping } from '../sources/mapping/read-mapping.ts';
import { type TableToMap, tableToMap } from '../sources/mapping/table-to-map.ts';
import { UnansweredError } from '../sources/unanswered.ts';

/** More tables of one upload than anybody maps by hand. */
const MOST_TABLES = 5;

/** Tables of an upload whose columns a person can choose, as they are found while its files are checked. */
export class TablesToMap {
  readonly tables: TableToMap[] = [];
  /** What must be said before a table can be looked at: it is asked where nothing else could be imported. */
  question: UnansweredError | null = null;
  readonly #context: ImportContext;
  readonly #upload: Upload;
  readonly #given: readonly MappingText[];
  readonly #shown: (text: string) => string;

  constructor(
    context: ImportContext,
    upload: Upload,
    given: readonly MappingText[],
    shown: (text: string) => string,
  ) {
    this.#context = context;
    this.#upload = upload;
    this.#given = given;
    this.#shown = shown;
  }

  /** Keeps what the page of a table needs. A table that cannot be read is told of elsewhere. */
  readonly find: OnTables = async (session, found) => {
    const { business_id, answers } = this.#upload;
    const remembered = await readSourceSettings(this.#context.control, business_id);
    const { encoding } = answers.settings;
    for (const { input, source } of found.slice(0, MOST_TABLES)) {
      const mapping = this.#mappingOf(source, remembered);
      try {
        this.tables.push(await tableToMap(session, input, { mapping, encoding, shown: this.#shown }));
      } catch (error) {
        if (error instanceof UnansweredError) this.question = error;
        else if (!(error instanceof ImportError)) throw error;
      }
    }
  };

  #mappingOf(source: string | null, remembered: Awaited<ReturnType<typeof readSourceSettings>>) {
    if (source === null) return null;
    const given = this.#given.find(({ name }) => name === source);
    const text = remembered.get(source)?.mapping;
    return given?.mapping ?? (text === undefined ? null : readMapping(text, 'the remembered mapping'));
  }
}
