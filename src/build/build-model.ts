import { type DuckDBValue, listValue } from '@duckdb/node-api';
import type { Session } from '../ingest/session.ts';
import type { AttributionWindows } from '../model/marketing/attribution-windows.ts';
import { buildOrder } from './build-order.ts';
import { internalHosts } from './channels.ts';
import { createKeys, type KeyParts } from './keys.ts';
import { CHECKED_TABLES } from './model-checks.ts';
import {
  type BuildTable,
  KeyTable,
  type MadeTable,
  ModelTable,
  type Need,
  WorkTable,
} from './model-table.ts';
import { MODEL_TABLES } from './model-tables.ts';

export interface ModelBusiness {
  /** Null: UTC. */
  readonly timezone: string | null;
  readonly primary_currency: string | null;
  /** Whose host no session comes from anew. */
  readonly link: string | null;
  readonly attribution_windows: AttributionWindows;
}

const BUILD_ORDER = buildOrder(MODEL_TABLES);

/** Work tables that are read no more once this one is made. */
const READ_NO_MORE = new Map(
  BUILD_ORDER.map((table, index) => {
    const later = new Set([...BUILD_ORDER.slice(index + 1).flatMap(({ reads }) => reads), ...CHECKED_TABLES]);
    return [table, table.reads.filter((read) => read instanceof WorkTable && !later.has(read))];
  }),
);

/**
 * Builds the tables that tools read, in the main database of the session, from the canonical tables in its schema
 * `store`.
 *
 * @param loadedTables the canonical tables that have rows
 * @param keys where the numbers are that were given before, and where new ones are written
 * @returns whether a table of the build has no rows
 */
export async function buildModel(
  session: Session,
  business: ModelBusiness,
  loadedTables: readonly string[],
  keys: KeyParts,
  onTable: (name: string, doneShare: number) => void,
): Promise<(table: BuildTable) => boolean> {
  await setBusinessValues(session, business);
  const withRows = new Set(loadedTables.map((table) => `store.${table}`));
  const isEmpty = ({ name }: BuildTable) => !withRows.has(name);
  for (const [index, table] of BUILD_ORDER.entries()) {
    onTable(table.name, index / BUILD_ORDER.length);
    if (await create(session, table, keys, isEmpty)) withRows.add(table.name);
    for (const { name } of READ_NO_MORE.get(table) ?? []) await session.run(`drop table ${name}`);
  }
  return isEmpty;
}

/** @returns whether it has rows */
async function create(
  session: Session,
  table: MadeTable,
  keys: KeyParts,
  isEmpty: (table: BuildTable) => boolean,
): Promise<boolean> {
  const isPlanned = !hasNoRows(table, isEmpty);
  if (table instanceof KeyTable) {
    if ((isPlanned || keys.forgets) && (await createKeys(session, table, keys))) return true;
  } else if (isPlanned) {
    return (await createWithRows(session, table)) > 0;
  }
  await session.run(createEmpty(table));
  return false;
}

async function setBusinessValues(session: Session, business: ModelBusiness): Promise<void> {
  const { click, open, delivery } = business.attribution_windows;
  const values: Record<string, DuckDBValue> = {
    business_timezone: business.timezone ?? 'UTC',
    business_currency: business.primary_currency,
    internal_hosts: listValue(internalHosts(business.link)),
    click_window_h: click,
    open_window_h: open,
    delivery_window_h: delivery,
  };
  for (const [name, value] of Object.entries(values)) {
    await session.run(`set variable ${name} = $value`, { value });
  }
}

/** Then it is not even planned: most stores use a part of what there is, and planning is most of a small import. */
function hasNoRows(table: MadeTable, isEmpty: (table: BuildTable) => boolean): boolean {
  const isMissing = (need: Need) => [need].flat().every(isEmpty);
  return table.needs.some(isMissing) || (!table.hasRowsOfItsOwn && table.reads.every(isEmpty));
}

function createEmpty(table: MadeTable): string {
  const columns = Object.entries(table.types).map(([name, type]) => `"${name}" ${type}`);
  return `create ${kindOf(table)} ${table.name} (${columns.join(', ')})`;
}

/** @returns how many rows it has */
async function createWithRows(session: Session, table: MadeTable): Promise<number> {
  const parameters = table instanceof ModelTable ? await table.parameters?.(session) : undefined;
  const created = await session.row(
    `create ${kindOf(table)} ${table.name} as ${table.rows.text}`,
    parameters,
  );
  return Number(created.Count);
}

function kindOf(table: MadeTable): string {
  return table instanceof ModelTable ? 'table' : 'temp table';
}
