import { inject } from 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Where the process that runs the tests answers with the URLs of engines: see `global-setup.ts`. */
    engines: string;
  }
}

export type Engine = 'postgres' | 'clickhouse';

/** The engine that all test files of this run share; started when the first of them asks. */
export async function engineUrl(engine: Engine): Promise<string> {
  // A worker runs one test file at a time, and chDB one query: with one for each worker nobody waits.
  const response = await fetch(`${inject('engines')}/${engine}/${process.env.VITEST_POOL_ID}`);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}
