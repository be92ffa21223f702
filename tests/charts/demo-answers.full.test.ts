import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../src/catalogue.ts';
import { describeCharts } from '../../src/charts/described-chart.ts';
import { drawFigure } from '../../src/charts/draw/draw-figure.ts';
import type { DrawnStore } from '../../src/charts/drawn-store.ts';
import { tableOf } from '../../src/charts/figure-table.ts';
import type { Asked } from '../../src/charts/read/asked-question.ts';
import { readFigure } from '../../src/charts/read-figure.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { QUESTIONS } from './questions.ts';
import { readBack } from './read-back.ts';

/** Each chart of real answers of the made shop, read back number by number. */

const STORE: DrawnStore = {
  name: 'Kamenice Outdoor',
  currency: 'CZK',
  timezone: 'Europe/Prague',
  locale: 'cs-CZ',
  data_until: '2026-09-30T21:43:00Z',
  history_starts_at: null,
};

let test: TestInstance;

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  await test.importDemos(/Kamenice/);
});

afterAll(() => test[Symbol.asyncDispose]());

async function asked(question: (typeof QUESTIONS)[number], format = 'objects'): Promise<Asked> {
  const tool = CATALOGUE.find(({ name }) => name === question.tool);
  const described = tool && describeCharts(tool);
  if (!tool || !described) throw new Error(`${question.tool} has no chart`);
  const ask = async (args: Record<string, unknown>) => {
    const {
      result,
      notes: _notes,
      ...beside
    } = await test.run(question.tool, { ...args, ...(tool.rows && { format }) });
    return { ...result, ...beside };
  };
  const args = question.args;
  const other = { ...args, ...question.compare };
  return {
    described,
    args,
    answer: await ask(args),
    store: STORE,
    ...(question.compare && { compared: { args: other, answer: await ask(other) } }),
  };
}

describe.each(QUESTIONS)('$name', (question) => {
  it('draws numbers of the answer where they belong, and says them', async () => {
    const real = await asked(question);
    const figure = readFigure(real);
    expect(figure.panels.length).toBeGreaterThan(0);
    for (const width of [720, 320]) {
      const { svg } = drawFigure(figure, { width });
      const { marks, problems } = readBack(svg, real.answer, real.compared?.answer, ',');
      expect(problems, `${width} px`).toEqual([]);
      expect(marks).toBeGreaterThan(0);
    }
  });

  it('has a table of the same numbers, and draws a table of rows alike', async () => {
    const [objects, table] = [readFigure(await asked(question)), readFigure(await asked(question, 'table'))];
    expect(table).toEqual(objects);
    const { svg } = drawFigure(objects, { width: 720 });
    const drawn = new Set([...svg.matchAll(/data-(?:at|low|high)="([^"]+)"/g)].map(([, at]) => at));
    const told = new Set(
      objects.panels.flatMap((panel) =>
        tableOf(panel, objects.words)
          .rows.flat()
          .map(({ at }) => at),
      ),
    );
    expect([...drawn].filter((at) => !told.has(at))).toEqual([]);
  });
});
