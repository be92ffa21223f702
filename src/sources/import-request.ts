import type { Business } from '../business/business.ts';
import type { BusinessSettings } from '../control/businesses/business-settings.ts';
import { readSourceSettings, saveSourceSettings } from '../control/businesses/source-settings.ts';
import type { ControlDatabase } from '../control/database/control-database.ts';
import type { ImportOptions } from '../ingest/import-options.ts';
import type { ImportReport } from '../snapshot/import-report.ts';
import type { Session } from '../store/duckdb-session.ts';
import { checkSettings, lasting, ofSource } from './check-settings.ts';
import type { Input } from './files/inputs.ts';
import { knownSources, type MappingText } from './mapping/known-sources.ts';
import { type OrderOwner, STORE } from './order-owner.ts';
import type { Settings, Source } from './source.ts';
import { KEEP } from './store-currency.ts';

export interface SourceImportOptions extends ImportOptions {
  /** The settings for this import. Those of earlier imports are remembered. */
  readonly settings?: Settings;
  /** Mappings for this import and those to come. */
  readonly mappings?: readonly MappingText[];
  /** Whether the path is a folder of files of our own format, told by their names: nothing is recognised. */
  readonly isCanonical?: boolean;
  /** Landed rows have the name of the source of each file here, by its path. */
  readonly landedAs?: ReadonlyMap<string, string>;
  /** Whether files that cannot be read are left out, and told of, instead of stopping the import. */
  readonly skipsUnreadable?: boolean;
  readonly onTables?: OnTables;
  /** Settings of the store that change with the import. */
  readonly store?: Partial<BusinessSettings>;
  /** Whether the time zone and the currency of a store are asked for along with its first orders. */
  readonly asksForStore?: boolean;
}

/**
 * It is called with the tables that a mapping can describe, before anything is read or refused.
 *
 * @param source the name of the merchant's mapping that the table is read by; null where nothing knows it
 */
export type OnTables = (
  session: Session,
  tables: readonly { readonly input: Input; readonly source: string | null }[],
) => Promise<void>;

/** The files that an import reads, with what was said of them now and before. */
export interface FilesRequest {
  readonly paths: readonly string[];
  /**
   * What the files may be. Any: of each it is told. Canonical: a folder of files of our own format, told by
   * their names. Folder: the same, of a store that has no orders of another system.
   */
  readonly format: 'any' | 'canonical' | 'folder';
  /** The sources in the order in which they are asked whether a file is theirs. */
  readonly known: readonly Source[];
  readonly settingsOf: (source: Source) => Settings;
  readonly said: Settings;
  /** The remembered settings of the store, not those of one source. */
  readonly remembered: Settings;
  readonly landedAs: ReadonlyMap<string, string>;
  readonly skipsUnreadable: boolean;
  readonly onTables?: OnTables | undefined;
}

/** What an import is asked to do. */
export interface ImportRequest extends FilesRequest {
  readonly options: ImportOptions;
  readonly mappings: readonly MappingText[];
  /** The settings of the business that change with it. */
  readonly changed: Partial<BusinessSettings>;
  readonly asksForStore: boolean;
  /**
   * The currency of the store, where it has to be asked what becomes of orders in others; null where it has
   * not.
   */
  readonly currency: string | null;
}

/** @throws InputError when what was said is not understood */
export async function readRequest(
  control: ControlDatabase,
  { business_id, primary_currency }: Business,
  paths: readonly string[],
  options: SourceImportOptions,
): Promise<ImportRequest> {
  const {
    settings: said = {},
    mappings = [],
    landedAs = new Map(),
    skipsUnreadable = false,
    onTables,
    store = {},
    asksForStore = false,
  } = options;
  checkSettings(said);
  const remembered = await readSourceSettings(control, business_id);
  const ofStore = remembered.get(STORE) ?? {};
  const asked = said['store-currency'];
  const currency = asked === undefined || asked === KEEP ? null : asked.toUpperCase();
  const isSaid = asked !== undefined || ofStore['store-currency'] === KEEP;
  return {
    paths,
    format: options.isCanonical ? 'canonical' : 'any',
    options,
    mappings,
    landedAs,
    skipsUnreadable,
    onTables,
    known: knownSources(mappings, remembered),
    said,
    remembered: ofStore,
    // Older versions remembered what does not last.
    settingsOf: (source) => ofSource(source, { ...lasting(remembered.get(source.name) ?? {}), ...said }),
    changed: {
      ...store,
      ...(currency !== null && currency !== primary_currency && { primary_currency: currency }),
    },
    currency: isSaid ? null : (store.primary_currency ?? primary_currency),
    asksForStore,
  };
}

/**
 * Files of our own format, of a store that has no orders of another system: nothing is asked, and nothing
 * remembered.
 */
export function folderRequest(folder: string, options: ImportOptions): ImportRequest {
  return {
    paths: [folder],
    format: 'folder',
    options,
    mappings: [],
    landedAs: new Map(),
    skipsUnreadable: false,
    known: [],
    said: {},
    remembered: {},
    settingsOf: () => ({}),
    changed: {},
    currency: null,
    asksForStore: false,
  };
}

/** Remembers what was said, for the imports to come. */
export async function rememberAnswers(
  control: ControlDatabase,
  { business_id }: Business,
  { said, mappings }: ImportRequest,
  owner: OrderOwner,
  sources: ImportReport['sources'],
): Promise<void> {
  if (said['store-currency'] === KEEP)
    await saveSourceSettings(control, business_id, STORE, { 'store-currency': KEEP });
  if (owner !== null) await saveSourceSettings(control, business_id, STORE, { 'orders-from': owner });
  for (const { source, settings } of sources) {
    const mapping = mappings.find(({ name }) => name === source);
    const texts = { ...lasting(settings), ...(mapping === undefined ? {} : { mapping: mapping.text }) };
    await saveSourceSettings(control, business_id, source, texts);
  }
}

/** Reports what changes with the currency of the store. */
export function tellOfCurrency({ primary_currency: before }: Business, { changed }: ImportRequest): string[] {
  const { primary_currency: after } = changed;
  if (after === undefined || after === null) return [];
  return [
    `the store counts in ${after} from now on${before === null ? '' : `, and not in ${before}`}: amounts without a currency of their own are in it, with the same numbers`,
  ];
}
