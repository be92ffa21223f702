import { ReasonError } from '../../errors.ts';
import {
  type BuildTable,
  KeyTable,
  MadeTable,
  ModelTable,
  type Need,
  type Relation,
  WorkTable,
} from '../../model-table/model-table.ts';
import type { Session } from '../../store/duckdb-session.ts';
import { createKeys, type KeyParts } from './keys.ts';

export type IsEmpty = (table: Pick<BuildTable, 'name'>) => boolean;

/** What must hold of tables; it does where all of them are empty, or those of a need. */
export interface Check {
  readonly name: string;
  readonly condition: Relation;
  readonly needs: readonly Need[];
}

/**
 * Makes tables in the main database of the session.
 *
 * @param order each after those that it reads
 * @param filled the names of tables that are there already and have rows
 * @param checks looked at as soon as all that they read is made, so that no step stays for them: it may have
 *   millions of rows
 * @param keys where the numbers are that were given before, and where new ones are written
 * @returns whether a table has no rows
 * @throws Error that names the first check that fails; the snapshot must not be served then
 */
export async function makeTables(
  session: Session,
  order: readonly MadeTable[],
  filled: readonly string[],
  checks: readonly Check[],
  keys: KeyParts,
  onTable: (name: string, doneShare: number) => void,
): Promise<IsEmpty> {
  const due = dueChecks(order, checks);
  const readNoMore = stepsReadNoMore(order, due);
  const withRows = new Set(filled);
  const isEmpty: IsEmpty = ({ name }) => !withRows.has(name);
  const unmade = new UnmadeSteps(session);
  for (const [index, table] of order.entries()) {
    onTable(table.name, index / order.length);
    if (await make(session, table, keys, unmade, isEmpty)) withRows.add(table.name);
    await look(session, due[index] ?? [], unmade, isEmpty);
    for (const step of readNoMore[index] ?? []) unmade.forgetOrDrop(step);
  }
  return isEmpty;
}

/**
 * Steps without rows that nothing has read yet. Most are read by tables alone that have no rows either, and
 * never made.
 */
class UnmadeSteps {
  readonly #session: Session;
  readonly #unmade = new Set<BuildTable>();

  constructor(session: Session) {
    this.#session = session;
  }

  add(step: MadeTable): void {
    this.#unmade.add(step);
  }

  /** Along with the next statement. */
  makeThoseOf(reads: readonly BuildTable[]): void {
    for (const read of reads)
      if (read instanceof MadeTable && this.#unmade.delete(read)) this.#session.runLater(createEmpty(read));
  }

  forgetOrDrop(step: BuildTable): void {
    if (!this.#unmade.delete(step)) this.#session.runLater(`drop table ${step.name}`);
  }
}

/** @returns whether it has rows */
async function make(
  session: Session,
  table: MadeTable,
  keys: KeyParts,
  unmade: UnmadeSteps,
  isEmpty: IsEmpty,
): Promise<boolean> {
  const isPlanned = !hasNoRows(table, isEmpty);
  if (table instanceof KeyTable) {
    if (isPlanned || keys.forgets) {
      unmade.makeThoseOf(table.reads);
      if (await createKeys(session, table, keys)) return true;
    }
  } else if (isPlanned) {
    unmade.makeThoseOf(table.reads);
    return (await createWithRows(session, table)) > 0;
  }
  if (table.scope === null) unmade.add(table);
  else session.runLater(createEmpty(table));
  return false;
}

async function look(
  session: Session,
  checks: readonly Check[],
  unmade: UnmadeSteps,
  isEmpty: IsEmpty,
): Promise<void> {
  const asked = checks.filter(
    ({ condition, needs }) => !condition.reads.every(isEmpty) && !isMissingOne(needs, isEmpty),
  );
  if (asked.length === 0) return;
  unmade.makeThoseOf(asked.flatMap(({ condition }) => condition.reads));
  const looks = asked.map(
    ({ condition }, place) => `select ${place} as place where not coalesce(${condition.text}, false)`,
  );
  const [failed] = await session.rows(`${looks.join(' union all ')} order by place`);
  if (failed !== undefined)
    throw new ReasonError(`the new snapshot fails its check: ${asked[Number(failed.place)]?.name}`);
}

/** The checks by the place of the last table that they read. */
function dueChecks(order: readonly MadeTable[], checks: readonly Check[]): readonly (readonly Check[])[] {
  const places = new Map<BuildTable, number>(order.map((table, index) => [table, index]));
  const dueAt = ({ condition }: Check) =>
    Math.max(0, ...condition.reads.map((read) => places.get(read) ?? 0));
  return order.map((_, index) => checks.filter((check) => dueAt(check) === index));
}

/** The steps that are read no more, by the place of the table after which that is so. */
function stepsReadNoMore(order: readonly MadeTable[], due: readonly (readonly Check[])[]) {
  const readAt = order.map((table, index) => [
    ...table.reads,
    ...(due[index] ?? []).flatMap(({ condition }) => condition.reads),
  ]);
  return readAt.map((reads, index) => {
    const later = new Set(readAt.slice(index + 1).flat());
    return [...new Set(reads)].filter(
      (read) => read instanceof WorkTable && read.scope === null && !later.has(read),
    );
  });
}

/**
 * Then it is not even planned: most stores use a part of what there is, and planning is most of a small
 * import.
 */
function hasNoRows(table: MadeTable, isEmpty: IsEmpty): boolean {
  return isMissingOne(table.needs, isEmpty) || (!table.hasRowsOfItsOwn && table.reads.every(isEmpty));
}

function isMissingOne(needs: readonly Need[], isEmpty: IsEmpty): boolean {
  return needs.some((need) => [need].flat().every(isEmpty));
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

function kindOf({ scope }: MadeTable): string {
  return scope === null ? 'temp table' : 'table';
}
