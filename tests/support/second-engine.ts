import { expect } from 'vitest';
import type { Answer, Tool } from '../../src/answers/tool.ts';
import { type Arguments, runTool, type ToolEnvironment } from '../../src/asking/run-tool.ts';
import type { Caller } from '../../src/control/people/callers.ts';
import { atOnce } from '../../src/main-thread/turns.ts';
import { render } from '../../src/sql/render.ts';
import type { Row } from '../../src/sql/row.ts';
import { Sql, Table } from '../../src/sql/sql.ts';
import { ClickHouseEngine } from '../../src/warehouse/clickhouse.ts';
import { clickHouseDialect } from '../../src/warehouse/clickhouse-dialect.ts';
import type { SnapshotReference, Warehouse } from '../../src/warehouse/warehouse.ts';
import { type AnswerMemory, answerMemory } from './cache/answer-memory.ts';
import { connectClickHouse } from './clickhouse.ts';
import { engineUrl } from './engines/engine-url.ts';
import { PublishedSnapshot } from './published-snapshot.ts';

/** What the second engine has to know of the snapshots of an instance. */
export interface Snapshots {
  fileOf(snapshot: SnapshotReference): string;
  /** What its rows depend on, where that is known: equal contents have equal rows. */
  contentOf(snapshot: SnapshotReference): string | undefined;
}

/**
 * Every answer of a tool in the tests, once more on ClickHouse: it must be the same.
 *
 * What ClickHouse answered is remembered, over many runs, by its SQL, the parameters and the content of the
 * snapshot. DuckDB is asked each time and compared with it, so nothing that it gets wrong is ever taken for
 * known.
 */
export class SecondEngine {
  readonly #snapshots: Snapshots;
  readonly #memory: AnswerMemory | null;
  readonly #published = new Map<string, Promise<PublishedSnapshot>>();

  constructor(snapshots: Snapshots, memory = answerMemory()) {
    this.#snapshots = snapshots;
    this.#memory = memory;
  }

  async expectSame(
    answer: Answer,
    environment: ToolEnvironment,
    tool: Tool,
    args: Arguments,
    caller: Caller,
  ): Promise<void> {
    const warehouse: Warehouse = {
      query: (snapshot, queries) => this.#remembered(snapshot, queries),
      // Its files are the same, whichever engine answers queries.
      ask: (snapshot, statement, asker) => environment.warehouse.ask(snapshot, statement, asker),
      close: async () => {},
    };
    const other = await runTool({ ...environment, warehouse }, tool, args, caller);
    expect(other, `${tool.name} on ClickHouse`).toEqual(answer);
  }

  async #remembered(snapshot: SnapshotReference, queries: readonly Sql[]): Promise<Row[][]> {
    const content = this.#snapshots.contentOf(snapshot);
    if (this.#memory === null || content === undefined) return this.#ask(snapshot, queries);
    const rendered = queries.map((query) => render(query, clickHouseDialect('storesight')));
    const question = this.#memory.questionOf(content, rendered);
    const known = this.#memory.recall(question);
    if (known !== null) return known;
    const rows = await this.#ask(snapshot, queries);
    this.#memory.remember(question, rows);
    return rows;
  }

  async #ask(snapshot: SnapshotReference, queries: readonly Sql[]): Promise<Row[][]> {
    const { engine } = await connect();
    const published = await this.#publish(snapshot);
    await published.bring(new Set(queries.flatMap(tablesIn)));
    const results = await engine.query(published.reference, queries, new AbortController().signal);
    return results.map(atOnce);
  }

  #publish(snapshot: SnapshotReference): Promise<PublishedSnapshot> {
    const file = this.#snapshots.fileOf(snapshot);
    const published =
      this.#published.get(file) ?? connect().then(({ writing }) => PublishedSnapshot.open(file, writing));
    this.#published.set(file, published);
    return published;
  }

  async stop(): Promise<void> {
    for (const published of await Promise.all(this.#published.values())) await published.close();
  }
}

function tablesIn(query: Sql): string[] {
  return query.slots.flatMap((slot) => {
    if (slot instanceof Sql) return tablesIn(slot);
    return slot instanceof Table ? [slot.name] : [];
  });
}

let connected: ReturnType<typeof openConnection> | undefined;

/** One for all instances of a process, to the server of this run. */
function connect() {
  connected ??= openConnection();
  return connected;
}

async function openConnection() {
  const { reading, writing, place } = connectClickHouse(await engineUrl('clickhouse'));
  return { engine: new ClickHouseEngine(reading, place.database, 60), writing: writing.first };
}
