import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { deserialize, serialize } from 'node:v8';
import type { RenderedSql } from '../../../src/sql/render.ts';
import type { Row } from '../../../src/sql/row.ts';
import { cacheFolder } from './cache-folder.ts';

/** How many answers stay: about 200 MB. */
const MOST_ANSWERS = 100_000;

/** The rows that ClickHouse answered to queries on a content. Several runs may use it at the same time. */
export class AnswerMemory implements Disposable {
  readonly #sqlite: DatabaseSync;
  readonly #recall: StatementSync;
  readonly #remember: StatementSync;

  constructor(file: string) {
    this.#sqlite = openAnswers(file);
    this.#recall = this.#sqlite.prepare('select rows from answers where question = ?');
    this.#remember = this.#sqlite.prepare('insert or replace into answers values (?, ?, unixepoch())');
  }

  /** @param content of the snapshot, which names the sources and the engines too: see `sourcesHash` */
  questionOf(content: string, queries: readonly RenderedSql[]): string {
    return createHash('sha256').update(content).update(JSON.stringify(queries)).digest('hex');
  }

  recall(question: string): Row[][] | null {
    const known = this.#recall.get(question);
    return known === undefined ? null : deserialize(known.rows as Uint8Array);
  }

  remember(question: string, rows: readonly Row[][]): void {
    this.#remember.run(question, serialize(rows));
  }

  [Symbol.dispose](): void {
    this.#sqlite.close();
  }
}

const BUSY = 5;
const DAMAGED = [11, 26];
const OPENING_MS = 10_000;

/**
 * What is damaged, by a full disk or a copy of the folder, is begun anew.
 *
 * TRICKY: of several processes that make a new file, some are refused at once while another switches its
 * journal, whatever the timeout. They try again; who took the file for damaged then would take it away from
 * the others.
 */
function openAnswers(file: string): DatabaseSync {
  const end = Date.now() + OPENING_MS;
  while (true) {
    try {
      return createAnswers(file);
    } catch (error) {
      const code = ((error as { errcode?: number }).errcode ?? 0) & 0xff;
      if (DAMAGED.includes(code)) {
        for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true });
      } else if (code !== BUSY || Date.now() > end) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

function createAnswers(file: string): DatabaseSync {
  const sqlite = new DatabaseSync(file, { timeout: 10_000 });
  const [check] = Object.values(sqlite.prepare('pragma quick_check(1)').get() ?? {});
  if (check !== 'ok') {
    sqlite.close();
    throw Object.assign(new Error(String(check)), { errcode: DAMAGED[0] });
  }
  sqlite.exec(`
    pragma journal_mode = wal;
    pragma synchronous = off;
    create table if not exists answers (question text primary key, rows blob not null, asked_at integer not null) strict;
    create index if not exists answers_asked_at on answers (asked_at);
  `);
  return sqlite;
}

let memory: AnswerMemory | null | undefined;

/** The one of this process; null where nothing is remembered. */
export function answerMemory(): AnswerMemory | null {
  const folder = cacheFolder();
  memory ??= folder === null ? null : new AnswerMemory(answersFile(folder));
  return memory;
}

function answersFile(folder: string): string {
  return join(folder, 'answers.sqlite');
}

/** Forgets what was asked longest ago. */
export function pruneAnswers(folder: string): void {
  using sqlite = openAnswers(answersFile(folder));
  sqlite.exec(`delete from answers where question in (
    select question from answers order by asked_at desc limit -1 offset ${MOST_ANSWERS})`);
}
