import type { Batch } from '../ingest/batch.ts';
import type { RowsBefore } from '../ingest/deletions.ts';
import type { TranslatedRows } from '../ingest/find-files.ts';
import type { StagedFile } from '../ingest/stage-table.ts';
import { unreadableRows } from '../ingest/unreadable.ts';
import type { Base } from '../snapshot/find-base.ts';
import type { OnStep } from '../snapshot/import-context.ts';
import type { SourceReport } from '../snapshot/import-report.ts';
import type { CanonicalTable } from '../store/canonical-table.ts';
import type { Session } from '../store/duckdb-session.ts';
import { canonicalTable } from '../store/tables/all-tables.ts';
import { orders } from '../store/tables/orders.ts';
import { products } from '../store/tables/products.ts';
import { refunds } from '../store/tables/refunds.ts';
import { cancellationsTakenBack } from './cancellations.ts';
import { changedTotals } from './changed-totals.ts';
import { askForSettings } from './check-settings.ts';
import { tablesNotRead } from './fivetran/table-names.ts';
import type { FilesRequest } from './import-request.ts';
import { absencesOf, landTables } from './land-tables.ts';
import { keepOrderFacts } from './order-facts.ts';
import { findingsOfDates } from './order-of-dates.ts';
import { decideOrderOwner, type OrderOwner, withoutPurchases } from './order-owner.ts';
import { type LandedRows, landRows } from './raw-rows.ts';
import type { ReadFiles, Recognised, SourceInput } from './recognise.ts';
import { returnsToRefunds, type TranslatedTables } from './returns-as-orders.ts';
import { hasTables, type Settings, type Source } from './source.ts';
import { storedId } from './stored-id.ts';
import { translateTable } from './translate-table.ts';
import { allUnanswered, UnansweredError } from './unanswered.ts';
import type { UnreadFiles } from './unread-files.ts';
import { notRecognised } from './unrecognised.ts';

/** One source of an import: its report, and where its facts about orders were written. */
interface Translated {
  readonly source: Source;
  readonly report: SourceReport;
  readonly rows: LandedRows;
  readonly tables: TranslatedTables;
  readonly facts: string | null;
}

/** What the files of an import brought. */
export interface TranslatedBatch extends Batch {
  /** The owner of the orders in the files. */
  readonly owner: OrderOwner;
}

/**
 * Translates the files of sources into rows of our own format.
 *
 * @param rowsBefore makes the views of what is loaded, for whom they are needed
 * @throws ImportError when files cannot be understood, or ask something that nobody said
 */
export async function translateFiles(
  session: Session,
  base: Base | null,
  { recognised, unread, notes }: ReadFiles,
  rowsBefore: RowsBefore,
  request: FilesRequest,
  onStep?: OnStep,
): Promise<TranslatedBatch> {
  if (request.format === 'folder') return { ...toBatch(recognised, [], []), warnings: notes, owner: null };
  const isOfStored = base?.tables.includes(orders.name) === true;
  // What comes in parts is put together with what came before, and the owner of the orders is asked of those
  // that are stored.
  const comparesBefore = [...recognised.sources.keys()].some((source) => source.comparesBefore);
  if (comparesBefore || isOfStored) await rowsBefore();
  // Whether a shop has orders is known when its files are read.
  const ofShop = await translateThose(session, recognised, unread, request, {
    owner: 'shop',
    isMeant: ({ ordersFrom }) => ordersFrom === undefined,
    before: [],
    onStep,
  });
  const bringsOrders = recognised.canonical.has(orders) || (await haveOrders(session, ofShop));
  const ownership = await decideOrderOwner(session, bringsOrders, { ...request, base });
  const { owner } = ownership;
  const translated = await translateThose(session, recognised, unread, request, {
    owner,
    isMeant: ({ ordersFrom }) => ordersFrom !== undefined,
    before: ofShop,
    onStep,
  });
  const inOrder = request.known.flatMap((known) => translated.find(({ source }) => source === known) ?? []);
  const gone = await withoutPurchases(session, ownership);
  const batch = toBatch(recognised, inOrder, gone);
  const ofSources = inOrder.flatMap(({ tables }) => tables);
  // The rows that a connection lands are as new as can be.
  const takenBack =
    isOfStored && request.landedAs.size === 0
      ? [
          ...(await cancellationsTakenBack(session, ofSources, rowsBefore)),
          ...(await changedTotals(session, ofSources, rowsBefore)),
        ]
      : [];
  return { ...batch, warnings: [...notes, ...takenBack, ...unread.notes, ...batch.warnings], owner };
}

interface Translating {
  readonly owner: OrderOwner;
  readonly isMeant: (source: Source) => boolean;
  /** What was translated before. */
  readonly before: readonly Translated[];
  readonly onStep: OnStep | undefined;
}

/** Translates the files of some of the sources. @returns them, behind those that were translated before */
async function translateThose(
  session: Session,
  { sources }: Recognised,
  unread: UnreadFiles,
  { known, settingsOf }: FilesRequest,
  { owner, isMeant, before, onStep }: Translating,
): Promise<readonly Translated[]> {
  const translated = [...before];
  const unanswered: UnansweredError[] = [];
  for (const source of [...known].sort((one, other) => isLater(one) - isLater(other))) {
    const files = sources.get(source);
    if (files === undefined || !isMeant(source)) continue;
    onStep?.(`reading ${source.title}`, 0);
    if (source.comparesBeside) await createRowsBeside(session, translated);
    const made = await translate(session, source, files, settingsOf(source), owner, unread).catch(
      (error: unknown) => {
        if (error instanceof UnansweredError) unanswered.push(error);
        else throw unreadableRows(files, error);
      },
    );
    if (made !== null && made !== undefined) translated.push(made);
  }
  unread.refuse();
  if (unanswered.length > 0) throw allUnanswered(unanswered);
  return translated;
}

/** Whether a source is translated later: only what is read already can be compared with. */
function isLater({ comparesBeside = false }: Source): number {
  return Number(comparesBeside);
}

/**
 * Makes views of what the other files bring: `refunds_beside` and `orders_beside`, with the ids that they
 * will be stored with, and `products_beside`.
 */
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

/**
 * Reads the files of a source, and makes a table of the session of the rows that they become in each of our
 * tables. Null where a file that cannot be read stops the import.
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
  const told = await returnsToRefunds(session, tables);
  const findings = [...(await findingsOf(session, source, rows)), ...told.findings];
  return {
    source,
    rows,
    tables: told.tables,
    facts: makesOrders ? await keepOrderFacts(session, source, rows, told.returns) : null,
    report: reportOf(source, files, rows, findings),
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
      name,
      title: paths[0],
      absent,
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

/**
 * The merchant says what stands in files of our own format: it replaces what a source says of the same key.
 */
function toBatch(
  { canonical, unknown, unread }: Recognised,
  translated: readonly Translated[],
  gone: Translated['tables'],
): Batch {
  const files = new Map<CanonicalTable, StagedFile[]>();
  for (const [table, rows] of [...gone, ...translated.flatMap(({ tables }) => tables)])
    files.set(table, [...(files.get(table) ?? []), rows]);
  for (const [table, own] of canonical) files.set(table, [...(files.get(table) ?? []), ...own]);
  const orderFacts = translated.flatMap(({ source, facts, report }) =>
    facts === null
      ? []
      : [{ source: source.name, path: facts, files: report.files, assumptions: report.assumptions }],
  );
  return {
    files,
    warnings: [...unknown.map(notRecognised), ...tablesNotRead(unread)],
    sources: translated.map(({ report }) => report),
    raw: {
      read: sum(translated.map(({ rows }) => rows.malformed)),
      rejected: sum(translated.map(({ rows }) => rows.malformed)),
    },
    orderFacts,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
