import { createHash } from 'node:crypto';
import { madeInPieces } from '../answers/answer-in-pieces.ts';
import type { StatementOutcome } from '../answers/caller-statement.ts';
import { type Query, readRows } from '../answers/fields/query.ts';
import { shapeRows } from '../answers/row-formats.ts';
import { sentencesOf } from '../answers/sentences.ts';
import type {
  AccountTool,
  Answer,
  Arguments,
  BusinessTool,
  Plan,
  StoreAnswer,
  StoresTool,
  Tool,
} from '../answers/tool.ts';
import type { Assumption } from '../business/assumptions.ts';
import { COUNTS_A_DAY } from '../business/counts-a-day.ts';
import type { SnapshotFacts } from '../business/snapshot-facts.ts';
import { CATALOGUE } from '../catalogue.ts';
import type { Caller } from '../control/people/callers.ts';
import { countsFirstOrders, withFirstOrderNotes } from '../domains/orders/queries/first-order-notes.ts';
import { InputError } from '../errors.ts';
import type { Pieces } from '../main-thread/pieces.ts';
import { mainThread, onePiece } from '../main-thread/turns.ts';
import type { Row } from '../sql/row.ts';
import { addTables, type Table } from '../sql/sql.ts';
import { noiseUnder } from '../statistics/noise.ts';
import { withoutNulls } from '../text/without-nulls.ts';
import { type Asker, BusyError, type SnapshotReference, type Warehouse } from '../warehouse/warehouse.ts';
import { argumentError } from './argument-errors.ts';
import { checkPermissions, readBusinessId, readBusinessIds, requireAssigned } from './check-access.ts';
import { checkAnswer } from './check-answer.ts';
import { knownArguments } from './given-arguments.ts';
import { type KeptAnswers, keyOf, readKept, writeToKeep } from './kept-answers.ts';
import { roomForRows } from './long-answer.ts';
import { type NotesAround, type PlannedNotes, planNotes } from './plan-notes.ts';

/** What running a tool needs of the rest of the program. */
export interface ToolEnvironment {
  readonly warehouse: Warehouse;
  /** The served snapshot of the business; null when there is none. */
  findServed(businessId: string): Promise<ServedSnapshot | null>;
  /** What a caller should know, by business, of connections that do not keep it current. */
  staleNotes(businessIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  /** What the merchant says of costs that no file tells: it holds at once, whichever snapshot is served. */
  assumptionsOf(businessId: string): Promise<readonly Assumption[]>;
  /** The noise of counts follows from it. */
  readonly noiseKey: string;
  /** Answers of snapshots that were asked before; null: every question is asked of the warehouse. */
  readonly kept: KeptAnswers | null;
}

export interface ServedSnapshot {
  /** What the caller should know of it. */
  readonly notes: readonly string[];
  readonly snapshot: SnapshotReference;
  readonly facts: SnapshotFacts;
}

/**
 * The same snapshot of a business for all that is asked through it: what is told of an answer fits its
 * numbers, though another snapshot is served meanwhile.
 */
export function atOneSnapshot(environment: ToolEnvironment): ToolEnvironment {
  const found = new Map<string, Promise<ServedSnapshot | null>>();
  return {
    ...environment,
    findServed(businessId) {
      const known = found.get(businessId) ?? environment.findServed(businessId);
      found.set(businessId, known);
      return known;
    },
  };
}

export type { Arguments } from '../answers/tool.ts';

/**
 * Runs a tool for a caller. The checks come in the contract's order, so that nothing about the data shows
 * before the caller may read it: UUID, allowlist, assignment, permission, then the other arguments.
 *
 * All that is done here for the account waits for its turn on the main thread.
 *
 * @throws InputError with the contract's message, BusyError
 */
export async function runTool(
  environment: ToolEnvironment,
  tool: Tool,
  args: Arguments,
  caller: Caller,
  signal?: AbortSignal,
): Promise<Answer> {
  const full = mainThread.full(caller.name);
  if (full !== null) throw new BusyError(full);
  if (tool.scope === 'business') return answerOfBusiness(environment, tool, args, caller, signal);
  const answer =
    tool.scope === 'stores'
      ? await answerOfStores(environment, tool, args, caller, signal)
      : await answerOfAccount(environment, tool, args, caller);
  return mainThread.run(caller.name, shaped(tool, args, answer), signal);
}

/** The answer as its fields declare it, with those that were asked for. */
function* shaped(tool: Tool, args: Arguments, answer: Answer): Pieces<Answer> {
  return { ...answer, result: yield* shapeRows(tool, args, yield* checkAnswer(tool.output, answer.result)) };
}

/**
 * What the answer holds as data, also what stands beside the result, such as the columns of a table; its
 * notes are texts, and other languages are the pages'.
 */
export function structured({
  result,
  notes: _notes,
  sentences: _sentences,
  ...beside
}: Answer): Record<string, unknown> {
  return { ...result, ...beside };
}

async function answerOfAccount(
  environment: ToolEnvironment,
  tool: AccountTool,
  args: Arguments,
  caller: Caller,
): Promise<Answer> {
  const businesses = await caller.businesses();
  const read = await mainThread.run(
    caller.name,
    onePiece(() => {
      const { args: known, notes } = readArguments(tool, args);
      return { answer: tool.answer({ args: known, businesses }), notes };
    }),
  );
  const { answer } = read;
  const stale = await environment.staleNotes(businesses.map(({ business_id }) => business_id));
  const notes = [...stale].flatMap(([id, texts]) => texts.map((text) => `Of ${id}: ${text}`));
  return { ...answer, notes: [...read.notes, ...(answer.notes ?? []), ...notes] };
}

/**
 * One store after the other, each checked as if it were asked about alone. What is told of all alike is told
 * once.
 */
async function answerOfStores(
  environment: ToolEnvironment,
  tool: StoresTool,
  { business_ids, ...args }: Arguments,
  caller: Caller,
  signal?: AbortSignal,
): Promise<Answer> {
  const ids = readBusinessIds(business_ids);
  for (const id of ids) checkPermissions(tool.each.permissions, await requireAssigned(caller, id));
  const names = new Map((await caller.businesses()).map(({ business_id, name }) => [business_id, name]));
  const answers: StoreAnswer[] = [];
  for (const business_id of ids) {
    const answer = await answerOfBusiness(environment, tool.each, { ...args, business_id }, caller, signal);
    answers.push({ business_id, name: names.get(business_id) ?? business_id, answer });
  }
  return { ...tool.join(answers), sentences: answers.flatMap(({ answer }) => answer.sentences ?? []) };
}

async function answerOfBusiness(
  environment: ToolEnvironment,
  tool: BusinessTool,
  args: Arguments,
  caller: Caller,
  signal?: AbortSignal,
): Promise<Answer> {
  const businessId = readBusinessId(args.business_id);
  checkPermissions(tool.permissions, await requireAssigned(caller, businessId));
  const served = await environment.findServed(businessId);
  if (served === null)
    throw new InputError('no data is loaded for this business yet', 'Import a folder first.');
  const assumptions = tool.readsAssumptions === true ? await environment.assumptionsOf(businessId) : [];
  const asked = { served, assumptions, caller, signal };
  const { answer, before, after, left } = await answerOnce(environment, tool, args, asked);
  const stale = (await environment.staleNotes([businessId])).get(businessId) ?? [];
  const notes = [...served.notes, ...stale, ...budgetNotes(left), ...after];
  return { ...answer, notes: [...before, ...(answer.notes ?? []), ...notes] };
}

interface Asked {
  readonly served: ServedSnapshot;
  readonly assumptions: readonly Assumption[];
  readonly caller: Caller;
  readonly signal: AbortSignal | undefined;
}

/**
 * What a snapshot answers, and the notes that come of it: with the same assumptions it never changes, for any
 * caller at any time.
 */
interface SnapshotAnswer {
  readonly answer: Answer;
  /** Notes that stand before those of the answer. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /**
   * Whether the answer may be kept. It may not where it has counts with noise, of which a caller has a
   * budget, or keys that are of this answer alone.
   */
  readonly mayBeKept: boolean;
  /** How many of these the caller has left; null: no limit. */
  readonly left: number | null;
}

/**
 * Answers out of the kept answers, or out of the warehouse. What has counts with noise is asked each time, so
 * that it takes of the budget.
 */
async function answerOnce(
  environment: ToolEnvironment,
  tool: BusinessTool,
  args: Arguments,
  asked: Asked,
): Promise<SnapshotAnswer> {
  const { kept } = environment;
  if (kept === null) return askSnapshot(environment, tool, args, asked);
  const { served, assumptions, caller, signal } = asked;
  const inTurn = <Result>(work: Pieces<Result>) => mainThread.run(caller.name, work, signal);
  const { key, known } = await inTurn(
    onePiece(() => {
      const key = keyOf(tool.name, args, assumptions);
      const json = kept.find(served.snapshot, key);
      return { key, known: json === null ? null : (readKept(json) as SnapshotAnswer) };
    }),
  );
  if (known !== null) return known;
  const made = await askSnapshot(environment, tool, args, asked);
  if (made.mayBeKept) {
    const json = await inTurn(writeToKeep(made));
    if (json !== null) kept.keep(served.snapshot, key, json);
  }
  return made;
}

async function askSnapshot(
  environment: ToolEnvironment,
  tool: BusinessTool,
  args: Arguments,
  { served: { facts, snapshot }, assumptions, caller, signal }: Asked,
): Promise<SnapshotAnswer> {
  const timezone = facts.timezone ?? 'UTC';
  const currency = facts.primary_currency;
  const noiseOf = noiseUnder(environment.noiseKey);
  const noise = (measure: string) => noiseOf(inSnapshot(measure, snapshot));
  const inTurn = <Result>(work: Pieces<Result>) => mainThread.run(caller.name, work, signal);
  const given = await inTurn(onePiece(() => readArguments(tool, args)));
  const planned = await inTurn(
    onePiece(() => {
      const context = { args: given.args, timezone, currency, facts, assumptions, noise };
      const plan = tool.plan({ ...context, mostRows: roomForRows(tool, given.args) });
      return {
        countsFirst: countsFirstOrders(plan, tool, given.args),
        withNotes: withFirstOrderNotes(plan, tool, given.args, timezone, facts),
      };
    }),
  );
  let answer: Answer | Plan = planned.withNotes;
  let mayBeKept = true;
  let left: number | null = null;
  const asker = { account: caller.name, question: tool.name };
  const read = new Set<Table>();
  while ('queries' in answer) {
    if (answer.measures !== undefined) {
      mayBeKept = false;
      left = await caller.spendCounts(snapshot.business_id, spentOn(answer.measures, snapshot));
    }
    for (const query of Object.values(answer.queries)) {
      if (query === null || query.isAside === true) continue;
      addTables(query.sql, read);
      for (const table of query.leavesOut ?? []) read.add(table);
    }
    const queries = Object.values(answer.queries);
    const results = await runQueries(environment.warehouse, snapshot, queries, asker, signal);
    const { statement } = answer;
    let outcome: StatementOutcome | undefined;
    if (statement !== undefined) {
      mayBeKept = false;
      outcome = await environment.warehouse.ask(snapshot, statement, asker, signal);
    }
    answer = await inTurn(answered(answer, results, outcome));
  }
  const noted = planNotes(
    {
      tool,
      read,
      timezone,
      facts,
      currency,
      countsFirst: planned.countsFirst,
      given: args,
      args: given.args,
      argumentNotes: given.notes,
    },
    answer,
  );
  const results = await runQueries(environment.warehouse, snapshot, noted.queries, asker, signal);
  const { before, after } = await inTurn(writtenNotes(noted, results));
  const sentences = [
    ...(answer.sentences ?? []),
    ...sentencesOf([...before, ...(answer.notes ?? []), ...after]),
  ];
  return {
    answer: { ...(await inTurn(shaped(tool, args, answer))), sentences },
    before,
    after,
    mayBeKept,
    left,
  };
}

/** A count is charged again when the data change. */
function inSnapshot(measure: string, { business_id, snapshot_id }: SnapshotReference): string {
  return JSON.stringify([business_id, snapshot_id, measure]);
}

/** The budget remembers hashes, so that it reveals no condition. */
function spentOn(measures: readonly string[], snapshot: SnapshotReference): string[] {
  const hashes = measures.map((measure) =>
    createHash('sha256').update(inSnapshot(measure, snapshot)).digest('base64url'),
  );
  return [...new Set(hashes)];
}

/**
 * Told from the first answer on: one question may cost a fifth of it, so a warning near the end would come
 * too late.
 */
function budgetNotes(left: number | null): string[] {
  return left === null
    ? []
    : [`Today's budget for estimates: ${left} of ${COUNTS_A_DAY} new counts are left.`];
}

/** The names that arguments of any tool have. */
const ALL_ARGUMENTS: ReadonlySet<string> = new Set(
  CATALOGUE.flatMap(({ input }) => Object.keys(input.shape)),
);

/** @throws InputError */
function readArguments(tool: Tool, given: Arguments) {
  const { args, notes } = knownArguments(given, Object.keys(tool.input.shape), ALL_ARGUMENTS);
  const read = tool.input.safeParse(withoutNulls(args), { reportInput: true });
  if (read.success) return { args: read.data, notes };
  throw argumentError(read.error);
}

/** The rows of each query that is asked, in their order. The warehouse is not asked where no query is. */
async function runQueries(
  warehouse: Warehouse,
  snapshot: SnapshotReference,
  queries: readonly (Query | null)[],
  asker: Asker,
  signal?: AbortSignal,
): Promise<Row[][]> {
  const asked = queries.flatMap((query) => (query === null ? [] : [query.sql]));
  return asked.length === 0 ? [] : warehouse.query(snapshot, asked, asker, signal);
}

function* answered(
  plan: Plan,
  results: readonly Row[][],
  outcome: StatementOutcome | undefined,
): Pieces<Answer | Plan> {
  const rowsOf = yield* readResults(Object.values(plan.queries), results);
  const named = Object.entries(plan.queries).map(([name, query]) => [name, rowsOf(query)]);
  yield;
  return yield* madeInPieces(plan.answer(Object.fromEntries(named), outcome));
}

function* writtenNotes({ queries, notes }: PlannedNotes, results: readonly Row[][]): Pieces<NotesAround> {
  const rowsOf = yield* readResults(queries, results);
  yield;
  return notes(rowsOf);
}

/** What `runQueries` gave, by the query that asked for it. */
function* readResults(
  queries: readonly (Query | null)[],
  results: readonly Row[][],
): Pieces<(query: Query | null) => readonly never[]> {
  const rows = new Map<Query, readonly unknown[]>();
  const asked = queries.filter((query) => query !== null);
  for (const [index, query] of asked.entries()) {
    rows.set(query, yield* readRows(query, results[index] ?? []));
  }
  return (query) => (query === null ? [] : (rows.get(query) ?? [])) as readonly never[];
}
