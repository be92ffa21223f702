import { setTimeout } from 'node:timers/promises';
import { type Held, takeDue } from '../control/connections/connection-leases.ts';
import { AccountTurns } from './account-turns.ts';
import { removeLeftovers } from './disconnect.ts';
import type { ReadingTurn } from './reading-turn.ts';
import type { RunContext } from './run-connection.ts';
import { oneAtATime, type Turns } from './turns-here.ts';

type WorkContext = Pick<RunContext, 'control' | 'data' | 'log' | 'signal'>;

interface WorkerOptions {
  /** The most connections that it runs at once; the same number again may be in long turns. */
  readonly atOnce: number;
  /** How long it waits when nothing is due. */
  readonly idleMs?: number;
  /** How long it carries out deletions that vendors told before it reads a connection in between. */
  readonly deletesForMs?: number;
  /** The milliseconds after which a turn that reads is a long one. */
  readonly longMs?: number;
}

/**
 * A vendor can tell more deletions than are carried out in the same time: other stores are read meanwhile.
 */
const DELETES_FOR_MS = 30_000;

/** The pause after an unexpected failure of the control database or of a run. */
const AFTER_ERROR_MS = 10_000;

/**
 * Runs what is due until it is stopped. Several workers, in this process or others, share the work, one turn
 * each, so that a large first run holds nobody up. Whose is next: `account-turns.ts`.
 */
export async function work(
  context: WorkContext,
  turns: Turns,
  { atOnce, idleMs = 2000, deletesForMs = DELETES_FOR_MS, ...times }: WorkerOptions,
): Promise<void> {
  const accounts = new AccountTurns(atOnce, times);
  const deleting = { now: 0, most: atOnce };
  const shared: Shared = { turns, accounts, taking: oneAtATime(), deleting, postponed: new Map() };
  await removeLeftovers(context).catch((error: unknown) =>
    context.log.error(
      { err: error },
      'files of removed connections could not be removed; the next start tries again',
    ),
  );
  await Promise.all(
    Array.from({ length: accounts.most }, () => workAlone(context, shared, { idleMs, deletesForMs })),
  );
}

/** The parts that those who work side by side share. */
interface Shared {
  readonly turns: Turns;
  readonly accounts: AccountTurns;
  /** Takes one connection at a time, because which one is next depends on those that are being read. */
  readonly taking: ReturnType<typeof oneAtATime>;
  /**
   * How many carry out deletions, and how many may. Deletions of one store wait for each other for half a
   * minute and more, so that the places for long turns do not add to them.
   */
  readonly deleting: { now: number; readonly most: number };
  readonly postponed: Map<string, number>;
}

async function workAlone(
  context: WorkContext,
  shared: Shared,
  { idleMs, deletesForMs }: Required<Pick<WorkerOptions, 'idleMs' | 'deletesForMs'>>,
): Promise<void> {
  const { signal, log } = context;
  while (!signal.aborted) {
    try {
      if (!(await workOnce(context, shared, deletesForMs))) await setTimeout(idleMs, undefined, { signal });
    } catch (error) {
      if (signal.aborted) return;
      log.error({ err: error }, 'the worker could not work');
      await setTimeout(AFTER_ERROR_MS, undefined, { signal }).catch(() => {});
    }
  }
}

/** @returns whether there was something to do */
async function workOnce(context: WorkContext, shared: Shared, deletesForMs: number): Promise<boolean> {
  const { turns, accounts, taking } = shared;
  const hasDeleted = await deleteFor(context, shared, deletesForMs);
  const taken = await taking(async () => {
    const due = await takeDue(context.control, new Date(), accounts.choose);
    return due === null ? null : { ...due, turn: accounts.begin(due.account) };
  });
  if (taken === null) return hasDeleted;
  const { connection, lease, turn } = taken;
  try {
    await runTurn(context, turns, { connection, lease }, turn);
  } finally {
    accounts.end(turn);
  }
  return true;
}

/** @returns whether something was deleted */
async function deleteFor(
  { signal }: WorkContext,
  { turns, deleting, postponed }: Shared,
  milliseconds: number,
): Promise<boolean> {
  if (deleting.now >= deleting.most) return false;
  const endsAt = performance.now() + milliseconds;
  let hasDeleted = false;
  deleting.now += 1;
  try {
    while (performance.now() < endsAt && (await turns.forgetNext(postponed))) {
      hasDeleted = true;
      signal.throwIfAborted();
    }
  } finally {
    deleting.now -= 1;
  }
  return hasDeleted;
}

async function runTurn(context: WorkContext, turns: Turns, held: Held, turn: ReadingTurn): Promise<void> {
  const { name, vendor, business_id } = held.connection;
  const startedAt = performance.now();
  const result = await turns.run(held, turn);
  if (result === null) return;
  const { state, report } = result;
  const seconds = Math.round(performance.now() - startedAt) / 1000;
  const rows = Object.values(report.rows).reduce((sum, count) => sum + count, 0);
  const details = {
    business_id,
    connection: name,
    vendor,
    state,
    rows,
    imports: report.imports.length,
    seconds,
  };
  if (state === 'ok' || state === 'reading') context.log.info(details, 'a connection was read');
  else context.log.warn(details, 'a connection could not be read');
}
