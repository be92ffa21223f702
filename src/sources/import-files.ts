import type { Business } from '../business/business.ts';
import { readSourceSettings, saveSourceSettings } from '../control/source-settings.ts';
import { type RowsBefore, rowsBeforeOf } from '../ingest/deletions.ts';
import { findFiles, type TranslatedRows } from '../ingest/files.ts';
import type { ForeignOrders } from '../ingest/foreign-orders.ts';
import { type Batch, type ImportOptions, importBatch, spareWorkOfLittle } from '../ingest/import.ts';
import type { StagedFile } from '../ingest/stage.ts';
import { unreadableRows } from '../ingest/unreadable.ts';
import type { ImportContext } from '../snapshot/build-snapshot.ts';
import { ImportError } from '../snapshot/errors.ts';
import type { ImportReport, SourceReport } from '../snapshot/report.ts';
import type { Session } from '../store/session.ts';
import type { CanonicalTable } from '../store/table.ts';
import { CANONICAL_TABLES, canonicalTable } from '../store/tables/index.ts';
import { orders } from '../store/tables/orders.ts';
import { products } from '../store/tables/products.ts';
import { refunds } from '../store/tables/refunds.ts';
import { counted } from '../text/counted.ts';
import { cancellationsTakenBack } from './cancellations.ts';
import { changedTotals } from './changed-totals.ts';
import { findInputs } from './files/inputs.ts';
import { openDuckdbFiles } from './fivetran/duckdb-files.ts';
import { tablesNotRead } from './fivetran/names.ts';
import { knownSources, type MappingText } from './mapping/known-sources.ts';
import { findingsOfDates } from './order-of-dates.ts';
import {
  decideOrderOwner,
  type OrderHistory,
  type OrderOwner,
  STORE,
  withoutPurchases,
} from './order-owner.ts';
import { type LandedRows, landRows } from './raw-rows.ts';
import { type Recognised, recognise, type SourceInput } from './recognise.ts';
import { keepOrderFacts, reconcile } from './reconciliation.ts';
import { askForSettings, checkSettings, lasting, ofSource } from './settings.ts';
import { hasTables, type Settings, type Source } from './source.ts';
import { askForCurrency, KEEP } from './store-currency.ts';
import { storedId } from './stored-id.ts';
import { absencesOf, landTables } from './tables.ts';
import { translateTable } from './translate-table.ts';
import { allUnanswered, UnansweredError } from './unanswered.ts';
import { UnreadFiles } from './unread-files.ts';
import { notRecognised } from './unrecognised.ts';

interface SourceImportOptions extends ImportOptions {
  /** Said for this import; those that were said before are remembered. */
  readonly settings?: Settings;
  /** Mappings for this import and those to come. */
  readonly mappings?: readonly MappingText[];
  /** Whether the path is a folder of files of our own format, told by their names: nothing is recognised. */
  readonly isCanonical?: boolean;
  /** Of landed rows: the name of the source of each file, by its path. */
  readonly landedAs?: ReadonlyMap<string, string>;
  /** Whether files that cannot be read are left out, and told of, instead of stopping the import. */
  readonly skipsUnreadable?: boolean;
}

/** One source of an import: its report, and where its facts about orders were written. */
interface Translated {
  readonly source: Source;
  readonly report: SourceReport;
  readonly rows: LandedRows;
  readonly tables: readonly (readonly [CanonicalTable, TranslatedRows])[];
  readonly facts: string | null;
}

/**
 * Imports files of any mix of sources and of our own format: all of it is served afterwards, or nothing has changed.
 *
 * @param paths files, folders and archives
 * @throws ImportError when a file cannot be read or understood, more rows are rejected than allowed, or another import runs
 */
export async function importFiles(
  context: ImportContext,
  business: Business,
  paths: readonly string[],
  {
    settings: given = {},
    mappings = [],
    landedAs = new Map(),
    isCanonical = false,
    skipsUnreadable = false,
    ...options
  }: SourceImportOptions = {},
): Promise<ImportReport> {
  checkSettings(given);
  const remembered = await readSourceSettings(context.control, business.business_id);
  // Older versions remembered what does not last.
  const settingsOf = (source: Source) =>
    ofSource(source, { ...lasting(remembered.get(source.name) ?? {}), ...given });
  const known = knownSources(mappings, remembered);
  let owner: OrderOwner = null;
  const memory = remembered.get(STORE) ?? {};
  const asked = given['store-currency'];
  const currency = asked === undefined || asked === KEEP ? null : asked.toUpperCase();
  const store = business.primary_currency;
  const isChanged = currency !== null && currency !== store;
  const isToldOf = asked !== undefined || memory['store-currency'] === KEEP || store === null;
  const batchOptions = {
    ...options,
    ...(isChanged ? { settings: { primary_currency: currency } } : {}),
    ...(isToldOf
      ? {}
      : {
          onForeign: (found: ForeignOrders) =>
            askForCurrency(found, { currency: store, isSync: options.broughtBy !== undefined }),
        }),
  };
  const imported = await importBatch(context, business, batchOptions, async (session, base, rowsBefore) => {
    const history = { base, said: given, remembered: memory };
    const onSource = ({ title }: Source) => context.onStep?.(`reading ${title}`, 0);
    const batch = isCanonical
      ? await readCanonical(session, paths, history, rowsBefore)
      : await readBatch(session, paths, settingsOf, {
          ...{ known, history, rowsBefore, onSource, landedAs, skipsUnreadable },
        });
    owner = batch.owner;
    return batch;
  });
  const report = isChanged
    ? { ...imported, warnings: [changedCurrency(store, currency), ...imported.warnings] }
    : imported;
  if (options.isTrial) return report;
  if (asked === KEEP)
    await saveSourceSettings(context.control, business.business_id, STORE, { 'store-currency': KEEP });
  if (owner !== null)
    await saveSourceSettings(context.control, business.business_id, STORE, { 'orders-from': owner });
  for (const { source, settings } of report.sources) {
    const mapping = mappings.find(({ name }) => name === source);
    const texts = { ...lasting(settings), ...(mapping === undefined ? {} : { mapping: mapping.text }) };
    await saveSourceSettings(context.control, business.business_id, source, texts);
  }
  return report;
}

function changedCurrency(before: string | null, after: string): string {
  return `the store counts in ${after} from now on${before === null ? '' : `, and not in ${before}`}: amounts without a currency of their own are in it, with the same numbers`;
}

interface ReadingOptions {
  /** In the order in which they are asked whether a file is theirs. */
  readonly known?: readonly Source[];
  readonly history?: OrderHistory;
  /** Makes the views of what is loaded. */
  readonly rowsBefore?: RowsBefore;
  readonly onSource?: (source: Source) => void;
  readonly landedAs?: ReadonlyMap<string, string>;
  readonly skipsUnreadable?: boolean;
}

/** Recognises files, and translates those of sources into rows of our own format. @throws ImportError */
export async function readBatch(
  session: Session,
  paths: readonly string[],
  settingsOf: (source: Source) => Settings,
  {
    known = knownSources([], new Map()),
    history = { base: null, said: {}, remembered: {} },
    rowsBefore = rowsBeforeOf(session, history.base),
    onSource = () => {},
    landedAs = new Map(),
    skipsUnreadable = false,
  }: ReadingOptions = {},
): Promise<Batch & { readonly owner: OrderOwner }> {
  const unread = new UnreadFiles(skipsUnreadable);
  const found = await findInputs(session, paths, unread);
  spareWorkOfLittle(
    session,
    found.map(({ path }) => path),
    history.base,
  );
  const { inputs, tables, notes } = await openDuckdbFiles(session, found, known, settingsOf, unread);
  const recognised = await recognise(session, inputs, known, settingsOf, unread, landedAs, tables);
  unread.refuse();
  refuseNothing(recognised, [...notes, ...unread.notes], paths);
  const translated = new Map<Source, Translated>();
  const unanswered: UnansweredError[] = [];
  const translateThose = async (isMeant: (source: Source) => boolean, owner: OrderOwner) => {
    for (const source of [...known].sort((one, other) => isLater(one) - isLater(other))) {
      const files = recognised.sources.get(source);
      if (files === undefined || !isMeant(source)) continue;
      onSource(source);
      if (source.comparesBeside) await createRowsBeside(session, [...translated.values()]);
      const made = await translate(session, source, files, settingsOf(source), owner, unread).catch(
        (error: unknown) => {
          if (error instanceof UnansweredError) unanswered.push(error);
          else throw unreadableRows(files, error);
        },
      );
      if (made !== null && made !== undefined) translated.set(source, made);
    }
    unread.refuse();
    if (unanswered.length > 0) throw allUnanswered(unanswered);
  };
  // What comes in parts is put together with what came before, and the owner of the orders is asked of those that are stored.
  const comparesBefore = [...recognised.sources.keys()].some((source) => source.comparesBefore);
  if (comparesBefore || history.base?.tables.includes(orders.name)) await rowsBefore();
  // Whether a shop has orders is known when its files are read.
  await translateThose(({ ordersFrom }) => ordersFrom === undefined, 'shop');
  const bringsOrders =
    recognised.canonical.has(orders) || (await haveOrders(session, [...translated.values()]));
  const ownership = await decideOrderOwner(session, bringsOrders, history);
  const { owner } = ownership;
  await translateThose(({ ordersFrom }) => ordersFrom !== undefined, owner);
  const inOrder = known.flatMap((source) => translated.get(source) ?? []);
  const gone = await withoutPurchases(session, ownership);
  const batch = toBatch(recognised, inOrder, gone);
  // What a connection lands is as new as can be.
  const ofSources = inOrder.flatMap(({ tables }) => tables);
  const takenBack =
    history.base?.tables.includes(orders.name) && landedAs.size === 0
      ? [
          ...(await cancellationsTakenBack(session, ofSources, rowsBefore)),
          ...(await changedTotals(session, ofSources, rowsBefore)),
        ]
      : [];
  return { ...batch, warnings: [...notes, ...takenBack, ...unread.notes, ...batch.warnings], owner };
}

async function readCanonical(
  session: Session,
  [folder = '']: readonly string[],
  history: OrderHistory,
  rowsBefore: RowsBefore,
): Promise<Batch & { readonly owner: OrderOwner }> {
  const { files, warnings } = await findFiles(folder, CANONICAL_TABLES, session.meter);
  if (history.base?.tables.includes(orders.name)) await rowsBefore();
  const ownership = await decideOrderOwner(session, files.has(orders), history);
  const gone = await withoutPurchases(session, ownership);
  const recognised = { sources: new Map(), canonical: files, unknown: [], unread: [] };
  const batch = toBatch(recognised, [], gone);
  return { ...batch, warnings, owner: ownership.owner };
}

/** Only what is read already can be compared with. */
function isLater({ comparesBeside = false }: Source): number {
  return Number(comparesBeside);
}

/** Makes views of what the other files bring: `refunds_beside` and `orders_beside`, with the ids that they will be stored with, and `products_beside`. */
async function createRowsBeside(session: Session, translated: readonly Translated[]): Promise<void> {
  const selects = (wanted: CanonicalTable, select: (table: string) => string) =>
    translated
      .flatMap(({ tables }) => tables)
      .filter(([table]) => table === wanted)
      .map(([, { table }]) => select(table));
  const ids = ['order_id', 'refund_id'].map((id) => `${storedId('recordId', id)} as ${id}`).join(', ');
  const ofRefunds = selects(
    refunds,
    (table) => `
      select ${ids}, try_cast(cast(amount as varchar) as decimal(18,4)) as amount
      from "${table}" where amount is not null and refund_id is not null`,
  );
  const noRefund = `select '' as order_id, '' as refund_id, cast(0 as decimal(18,4)) as amount where false`;
  await session.run(
    `create or replace temp view refunds_beside as ${[noRefund, ...ofRefunds].join(' union ')}`,
  );
  const ofOrders: string[] = [];
  for (const [, { table }] of translated
    .flatMap(({ tables }) => tables)
    .filter(([each]) => each === orders)) {
    const columns = new Set((await session.rows(`describe "${table}"`)).map((row) => row.column_name));
    const amount = (name: string) =>
      `${columns.has(name) ? `try_cast(cast("${name}" as varchar) as decimal(18,4))` : 'cast(null as decimal(18,4))'} as ${name}`;
    ofOrders.push(
      `select ${storedId('recordId', 'order_id')} as order_id, ${amount('discount')}, ${amount('shipping')} from "${table}"`,
    );
  }
  const noOrder = `select '' as order_id, cast(0 as decimal(18,4)) as discount, cast(0 as decimal(18,4)) as shipping where false`;
  await session.run(
    `create or replace temp view orders_beside as ${[noOrder, ...ofOrders].join(' union all ')}`,
  );
  const ofProducts = selects(products, (table) => `select external_product_id from "${table}"`);
  const noProduct = `select '' as external_product_id where false`;
  await session.run(
    `create or replace temp view products_beside as ${[noProduct, ...ofProducts].join(' union ')}`,
  );
}

async function haveOrders(session: Session, translated: readonly Translated[]): Promise<boolean> {
  for (const [table, rows] of translated.flatMap(({ tables }) => tables)) {
    if (table !== orders) continue;
    const { count } = await session.row(`select count(*) as count from "${rows.table}"`);
    if (Number(count) > 0) return true;
  }
  return false;
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
    ...(others > 0 ? [`so are ${counted(others, 'other', 'others')}`] : []),
    ...tablesNotRead(unread),
  ];
  const found = notes.length === 0 ? `there is no file in ${paths.join(', ')}` : notes.join('\n');
  throw new ImportError(
    `nothing to import was recognised.\n${found}\nWhat is known: \`storesight source formats\`, or docs/sources`,
  );
}

/** So many are described; a folder may hold thousands. */
const MOST_UNKNOWN = 3;

/**
 * Reads the files of a source, and makes a table of the session of the rows that they become in each of our tables. Null where a file that
 * cannot be read stops the import.
 */
async function translate(
  session: Session,
  source: Source,
  inputs: readonly SourceInput[],
  settings: Settings,
  owner: OrderOwner,
  unread: UnreadFiles,
): Promise<Translated | null> {
  const makesOrders = source.ordersFrom === undefined || source.ordersFrom === owner;
  const rows = hasTables(source)
    ? await landTables(session, source, inputs, settings, makesOrders, unread)
    : await landRows(session, source, inputs, settings, makesOrders, unread);
  // The files of the other sources are looked at all the same.
  const files = inputs.filter(({ file }) => !unread.has(file.name));
  if (unread.stop || files.length === 0) return null;
  await askForSettings(session, source, rows);
  for (const statement of source.prepare?.(rows) ?? []) await session.run(statement);
  const tables: [CanonicalTable, TranslatedRows][] = [];
  for (const [name, select] of Object.entries(source.translate(rows))) {
    const canonical = canonicalTable(name);
    const table = await translateTable(session, source, rows, canonical, select);
    tables.push([canonical, { name: source.name, format: 'translated', table, origins: rows.origins }]);
  }
  return {
    source,
    rows,
    tables,
    facts: makesOrders ? await keepOrderFacts(session, source, rows) : null,
    report: reportOf(source, files, rows, await findingsOf(session, source, rows)),
  };
}

async function findingsOf(session: Session, source: Source, rows: LandedRows): Promise<string[]> {
  const said: string[] = [];
  for (const { count, says } of [...(source.findings?.(rows) ?? []), ...findingsOfDates(source, rows)]) {
    const found = await session.row(`select (${count}) as count`);
    if (Number(found.count) > 0) said.push(says(Number(found.count)));
  }
  return said;
}

function reportOf(
  source: Source,
  inputs: readonly SourceInput[],
  rows: LandedRows,
  findings: readonly string[],
): SourceReport {
  const read = [
    ...Object.entries(source.columns).map(([name, { header, absent }]) => ({
      name,
      title: header[0],
      absent,
    })),
    ...Object.entries(source.records?.fields ?? {}).map(([name, { paths, absent }]) => ({
      ...{ name, title: paths[0], absent },
    })),
  ];
  const absent = hasTables(source)
    ? absencesOf(source, rows.present)
    : source.absences !== undefined
      ? source.absences(rows.present)
      : read.flatMap(({ name, title, absent }) =>
          absent === undefined || rows.present.has(name) ? [] : [`no column "${title}": ${absent}`],
        );
  const notes = [...inputs.flatMap((input) => input.notes), ...rows.notes];
  return {
    source: source.name,
    title: source.title,
    files: inputs.map(({ file }) => file.name),
    rows: rows.read,
    tables: Object.keys(source.translate(rows)),
    columns_ignored: rows.columnsIgnored,
    settings: rows.settings as Record<string, string>,
    assumptions: [...notes, ...absent, ...findings, ...source.assumptions(rows)],
    makes_orders: rows.makesOrders && 'orders' in source.translate(rows),
  };
}

/** What stands in files of our own format is said by the merchant: it replaces what a source says of the same key. */
function toBatch(
  { canonical, unknown, unread }: Recognised,
  translated: readonly Translated[],
  gone: Translated['tables'],
): Batch {
  const files = new Map<CanonicalTable, StagedFile[]>();
  for (const [table, rows] of [...gone, ...translated.flatMap(({ tables }) => tables)])
    files.set(table, [...(files.get(table) ?? []), rows]);
  for (const [table, own] of canonical) files.set(table, [...(files.get(table) ?? []), ...own]);
  const withFacts = translated.flatMap(({ source, facts, report }) =>
    facts === null ? [] : [{ source, facts, report }],
  );
  return {
    files,
    warnings: [...unknown.map(notRecognised), ...tablesNotRead(unread)],
    sources: translated.map(({ report }) => report),
    raw: {
      read: sum(translated.map(({ rows }) => rows.malformed)),
      rejected: sum(translated.map(({ rows }) => rows.malformed)),
    },
    reconcile: async (session) => {
      const parts = withFacts.map(({ source, facts, report: { files, assumptions } }) =>
        reconcile(session, source, { facts, files, assumptions }),
      );
      return (await Promise.all(parts)).flat();
    },
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
