/**
 * How long answers are: of each tool the data, the text, and both, in bytes as they are sent. The questions
 * are those of docs/tools to the made shop, and the same over a year, by each breakdown and dimension. With
 * --before, the sizes of all rows as objects, in both places.
 *
 *   node bench/answer-sizes.ts <data folder with the made shop> [--before]
 */

import { runTool } from '../src/asking/run-tool.ts';
import { CATALOGUE } from '../src/catalogue.ts';
import { operatorCaller } from '../src/control/people/callers.ts';
import { atOnce } from '../src/main-thread/turns.ts';
import { answerResult } from '../src/mcp/answer-result.ts';
import { openInstance } from '../src/server/instance.ts';
import { openWarehouse } from '../src/server/open-warehouse.ts';
import { readSettings } from '../src/server/settings.ts';
import { toolEnvironment } from '../src/server/tool-environment.ts';
import { questionsOf } from './answer-questions.ts';

const settings = readSettings({ STORESIGHT_DATA: process.argv[2] });
const isBefore = process.argv.includes('--before');
const instance = await openInstance(settings);
const warehouse = await openWarehouse(instance, settings);
const environment = toolEnvironment(instance, warehouse);
const caller = operatorCaller(instance.control);
const inTurn = async <Result>(work: Parameters<typeof atOnce<Result>>[0]) => atOnce(work);

const bytesOf = (value: unknown) =>
  Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));

const usual: number[] = [];
console.log('both | data | text | tool | question');
const lines: [number, string][] = [];
for (const tool of CATALOGUE) {
  for (const { name, args } of questionsOf(tool)) {
    const asked = isBefore ? { ...args, ...('format' in tool.input.shape && { format: 'objects' }) } : args;
    try {
      const answer = await runTool(environment, tool, asked, caller);
      const sent = await answerResult(tool, asked, answer, { inTurn, sendWritten: undefined });
      const data = bytesOf(sent.structuredContent);
      const text = isBefore
        ? data
        : sent.content.reduce((sum, one) => sum + bytesOf('text' in one ? one.text : ''), 0);
      lines.push([data + text, `${data + text} | ${data} | ${text} | ${tool.name} | ${name}`]);
      if (name === 'usual') usual.push(data + text);
    } catch (error) {
      lines.push([
        0,
        `refused | | | ${tool.name} | ${name}: ${error instanceof Error ? error.message : error}`,
      ]);
    }
  }
}
for (const [, line] of lines.sort(([one], [other]) => other - one)) console.log(line);
usual.sort((one, other) => one - other);
console.log(
  `usual questions: median ${usual[Math.floor(usual.length / 2)]}, longest ${usual.at(-1)}, above 16 KB ${usual.filter((bytes) => bytes > 16_000).length}`,
);
await warehouse.close();
await instance[Symbol.asyncDispose]();
