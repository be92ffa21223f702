import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { QUESTIONS } from './questions.ts';

/**
 * How a question was answered once. It is replayed without a model: do the same calls still lead to the
 * facts?
 */
export interface Recording {
  readonly question: string;
  /** The name of the model, or `by hand`. */
  readonly model: string;
  /** The day of the recording, as YYYY-MM-DD. */
  readonly recorded_on: string;
  readonly calls: readonly { readonly tool: string; readonly arguments: Record<string, unknown> }[];
  /** What a person was told. */
  readonly answer: string;
  /** What of the facts it lacked. */
  readonly missing: readonly string[];
}

const FOLDER = join(import.meta.dirname, 'recordings');

export function readRecordings(): Recording[] {
  return globSync('*.json', { cwd: FOLDER })
    .toSorted()
    .map((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')));
}

/** One for each question and model: a later one replaces it. */
export function writeRecording(recording: Recording): void {
  const name = `${recording.question}.${recording.model.replace(/[^\w.-]+/g, '-')}.json`;
  writeFileSync(join(FOLDER, name), `${JSON.stringify(recording, null, 2)}\n`);
}

/** docs/evals.md below its text: who answered what. */
export function resultTable(recordings: readonly Recording[]): string {
  const models = [...new Set(recordings.map(({ model }) => model))].toSorted();
  const cell = (id: string, asked: string) => {
    const found = recordings.find(({ question, model }) => question === id && model === asked);
    if (found === undefined) return '';
    const calls = `${found.calls.length} ${found.calls.length === 1 ? 'call' : 'calls'}`;
    return found.missing.length === 0 ? `right, ${calls}` : `lacks ${found.missing.join(', ')}; ${calls}`;
  };
  const dated = models.map((model) => {
    const days = recordings.filter((each) => each.model === model).map(({ recorded_on }) => recorded_on);
    return `${model}, ${days.toSorted().at(-1)}`;
  });
  return [
    `| Question | ${dated.join(' | ')} |`,
    `|---|${'---|'.repeat(models.length)}`,
    ...QUESTIONS.map(({ id, text }) => `| ${text} | ${models.map((model) => cell(id, model)).join(' | ')} |`),
  ].join('\n');
}
