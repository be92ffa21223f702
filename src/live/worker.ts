import { setTimeout } from 'node:timers/promises';
import { takeDue } from '../control/connection-leases.ts';
import { removeLeftovers } from './disconnect.ts';
import type { RunContext } from './run.ts';
import type { Turns } from './turns.ts';

type WorkContext = Pick<RunContext, 'control' | 'data' | 'log' | 'signal'>;

interface WorkerOptions {
  /** How many connections it runs at once. */
  readonly atOnce: number;
  /** How long it waits when nothing is due. */
  readonly idleMs?: number;
  /** How long it carries out deletions that vendors told before it reads a connection in between. */
  readonly deletesForMs?: number;
}

/** A vendor can tell more deletions than are carried out in the same time: other stores are read meanwhile. */
const DELETES_FOR_MS = 30_000;

/** The pause after an unexpected failure of the control database or of a run. */
const AFTER_ERROR_MS = 10_000;

/**
 * Runs what is due until it is stopped. Several workers, in this process or others, share the work: who has waited longest
 * comes first, one turn each, so that a large first run holds nobody up.
 */
export async function work(
  context: WorkContext,
  turns: Turns,
  { atOnce, idleMs = 2000, deletesForMs = DELETES_FOR_MS }: WorkerOptions,
): Promise<void> {
  const postponed = new Map<string, number>();
  await removeLeftovers(context).catch((error: unknown) =>
    context.log.error(
      { err: error },
      'files of removed connections could not be removed; the next start tries again',
    ),
  );
  await Promise.all(
    Array.from({ length: atOnce }, () => workAlone(context, turns, postponed, { idleMs, deletesForMs })),
  );
}

async function workAlone(
  context: WorkContext,
  turns: Turns,
  postponed: Map<string, number>,
  { idleMs, deletesForMs }: Required<Omit<WorkerOptions, 'atOnce'>>,
): Promise<void> {
  const { signal, log } = context;
  while (!signal.aborted) {
    try {
      if (!(await workOnce(context, turns, postponed, deletesForMs)))
        await setTimeout(idleMs, undefined, { signal });
    } catch (error) {
      if (signal.aborted) return;
      log.error({ err: error }, 'the worker could not work');
      await setTimeout(AFTER_ERROR_MS, undefined, { signal }).catch(() => {});
    }
  }
}

/** @returns whether there was something to do */
async function workOnce(
  context: WorkContext,
  turns: Turns,
  postponed: Map<string, number>,
  deletesForMs: number,
): Promise<boolean> {
  const endsAt = performance.now() + deletesForMs;
  let hasDeleted = false;
  while (performance.now() < endsAt && (await turns.forgetNext(postponed))) {
    hasDeleted = true;
    context.signal.throwIfAborted();
  }
  const held = await takeDue(context.control);
  if (held === null) return hasDeleted;
  const { name, vendor, business_id } = held.connection;
  const startedAt = performance.now();
  const result = await turns.run(held);
  if (result === null) return true;
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
  return true;
}
