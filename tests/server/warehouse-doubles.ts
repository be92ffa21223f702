import type { ToolEnvironment } from '../../src/asking/run-tool.ts';
import type { Warehouse } from '../../src/warehouse/warehouse.ts';
import type { TestInstance } from '../support/test-instance.ts';

/** The environment of a data folder, with another warehouse. */
export function environmentWith(test: TestInstance, query: Warehouse['query']): ToolEnvironment {
  return {
    ...test.environment,
    warehouse: { query, ask: (...asked) => test.warehouse.ask(...asked), close: async () => {} },
  };
}

/** A warehouse that answers only when it is told to, or when its caller goes away. */
export class SlowWarehouse {
  readonly #asked = Promise.withResolvers<void>();
  readonly #cancelled = Promise.withResolvers<void>();
  readonly #finish = Promise.withResolvers<void>();
  readonly #test: TestInstance;
  readonly environment: ToolEnvironment;

  constructor(test: TestInstance) {
    this.#test = test;
    this.environment = environmentWith(test, (...call) => this.#query(...call));
  }

  /** When a query has begun. */
  get asked(): Promise<void> {
    return this.#asked.promise;
  }

  /** When a query was cancelled. */
  get cancelled(): Promise<void> {
    return this.#cancelled.promise;
  }

  finish(): void {
    this.#finish.resolve();
  }

  async #query(...[snapshot, queries, asker, signal]: Parameters<Warehouse['query']>) {
    const gone = Promise.withResolvers<never>();
    signal?.addEventListener('abort', () => {
      this.#cancelled.resolve();
      gone.reject(signal.reason);
    });
    this.#asked.resolve();
    await Promise.race([this.#finish.promise, gone.promise]);
    return this.#test.warehouse.query(snapshot, queries, asker);
  }
}
