import { expect } from 'vitest';
import type { Caller } from '../../src/control/callers.ts';
import { type Arguments, runTool, type ToolEnvironment } from '../../src/mcp/run-tool.ts';
import type { Instance } from '../../src/server/instance.ts';
import type { Answer, Tool } from '../../src/tools/tool.ts';
import { ClickHouseEngine } from '../../src/warehouse/clickhouse.ts';
import { ClickHousePublisher } from '../../src/warehouse/clickhouse-publisher.ts';
import { createClickHouseSchema } from '../../src/warehouse/clickhouse-schema.ts';
import type { Engine, SnapshotReference, Warehouse } from '../../src/warehouse/warehouse.ts';
import { startClickHouse, type TestClickHouse } from './clickhouse.ts';

/** Every answer of a tool in the tests, once more on ClickHouse: it must be the same. Started when a tool first runs. */
export class SecondEngine {
  readonly #instance: Instance;
  #started: Promise<{ server: TestClickHouse; engine: Engine; publisher: ClickHousePublisher }> | undefined;
  readonly #published = new Map<string, Promise<unknown>>();

  constructor(instance: Instance) {
    this.#instance = instance;
  }

  async expectSame(
    answer: Answer,
    environment: ToolEnvironment,
    tool: Tool,
    args: Arguments,
    caller: Caller,
  ): Promise<void> {
    const warehouse: Warehouse = {
      query: async (snapshot, queries) => {
        const { engine } = await this.#start();
        await this.#publish(snapshot);
        return engine.query(snapshot, queries, new AbortController().signal);
      },
      close: async () => {},
    };
    const other = await runTool({ ...environment, warehouse }, tool, args, caller);
    expect(other, `${tool.name} on ClickHouse`).toEqual(answer);
  }

  #start() {
    this.#started ??= (async () => {
      const server = await startClickHouse();
      await createClickHouseSchema(server.writing, server.place);
      return {
        server,
        engine: new ClickHouseEngine(server.reading, server.place.database, 60),
        publisher: new ClickHousePublisher(server.writing, server.place.database),
      };
    })();
    return this.#started;
  }

  #publish(snapshot: SnapshotReference): Promise<unknown> {
    const key = `${snapshot.business_id} ${snapshot.snapshot_id}`;
    const published =
      this.#published.get(key) ??
      this.#start().then(({ publisher }) =>
        publisher.publish(snapshot, this.#instance.data.model(snapshot.business_id, snapshot.snapshot_id)),
      );
    this.#published.set(key, published);
    return published;
  }

  async stop(): Promise<void> {
    if (this.#started !== undefined) await (await this.#started).server.stop();
  }
}
