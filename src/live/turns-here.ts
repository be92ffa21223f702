import type { Held } from '../control/connections/connection-leases.ts';
import { forgetNext } from './forget-persons.ts';
import type { ReadingTurn } from './reading-turn.ts';
import { type RunContext, type RunResult, runConnection } from './run-connection.ts';

/** Where the turns of connections are run. */
export interface Turns {
  /**
   * @param turn counts the time in which it reads, and may end it
   * @returns null when it was stopped, or taken over
   */
  run(held: Held, turn?: ReadingTurn): Promise<RunResult | null>;
  /** Carries out what a vendor asked for longest ago: as `forgetNext`. */
  forgetNext(postponed: Map<string, number>): Promise<boolean>;
}

/** The turns of connections, run in this process. */
export function turnsHere(context: RunContext): Turns {
  const shared: RunContext = { whenMayImport: oneAtATime(), ...context };
  return {
    run: (held) => runConnection(shared, held),
    forgetNext: (postponed) => forgetNext(shared, postponed),
  };
}

export function oneAtATime(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work, work);
    last = result.catch(() => {});
    return result;
  };
}
