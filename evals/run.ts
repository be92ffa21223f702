/**
 * Lets a model answer the questions, and writes what it called and said into `evals/recordings` and
 * docs/evals.md.
 *
 * ```
 * ANTHROPIC_API_KEY=… npm run evals -- --model claude-sonnet-4-5
 * ANTHROPIC_API_KEY=… npm run evals -- --model claude-sonnet-4-5 --question best-product
 * npm run evals                     # asks no model: writes the table of docs/evals.md anew
 * ```
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { askModel } from './ask-model.ts';
import { openDemoStore, truthsOf } from './demo-server.ts';
import { missingIn } from './facts.ts';
import { QUESTIONS } from './questions.ts';
import { readRecordings, resultTable, writeRecording } from './recording.ts';

const DOCUMENT = 'docs/evals.md';

const { values } = parseArgs({ options: { model: { type: 'string' }, question: { type: 'string' } } });
if (values.model !== undefined) await run(values.model);
const [text = ''] = readFileSync(DOCUMENT, 'utf8').split(/^\| Question/m);
writeFileSync(DOCUMENT, `${text}${resultTable(readRecordings())}\n`);

async function run(model: string): Promise<void> {
  const key = process.env.ANTHROPIC_API_KEY;
  if (!key) throw new Error('ANTHROPIC_API_KEY is not set');
  const api = { url: process.env.ANTHROPIC_BASE_URL ?? 'https://api.anthropic.com', key, model };
  const asked = QUESTIONS.filter(({ id }) => values.question === undefined || id === values.question);
  const truths = await truthsOf(asked);
  const folder = mkdtempSync(join(tmpdir(), 'storesight-evals-'));
  try {
    const client = await openDemoStore(folder);
    for (const question of asked) {
      const { calls, answer } = await askModel(api, client, question);
      const missing = missingIn(answer, truths.get(question.id) ?? []);
      const recorded_on = new Date().toISOString().slice(0, 10);
      writeRecording({ question: question.id, model, recorded_on, calls, answer, missing });
      console.log(`${question.id}: ${missing.length === 0 ? 'right' : `lacks ${missing.join(', ')}`}`);
    }
    await client.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
}
