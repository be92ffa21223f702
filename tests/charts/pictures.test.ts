import { describe, expect, it } from 'vitest';
import {
  bars,
  type Chart,
  calling,
  cohorts,
  flow,
  funnel,
  goingOn,
  grid,
  heat,
  interval,
  line,
  matrix,
  saying,
} from '../../src/answers/chart.ts';
import { formatDay, formatPeriod, weekdayName } from '../../src/charts/dates.ts';
import type { DescribedCharts, DescribedField, Sort } from '../../src/charts/described-chart.ts';
import { drawFigure } from '../../src/charts/draw/draw-figure.ts';
import { drawFile } from '../../src/charts/draw/draw-file.ts';
import { type DrawnStore, readerLocale } from '../../src/charts/drawn-store.ts';
import { keyInWords } from '../../src/charts/field-words.ts';
import type { BarPanel, LinePanel } from '../../src/charts/figure.ts';
import { csvOf, tablesHtml } from '../../src/charts/figure-table.ts';
import { readFigure } from '../../src/charts/read-figure.ts';
import { CHART_STYLES } from '../../src/charts/styles.ts';
import { readBack } from './read-back.ts';
import { elementsOf, parseXml, textOf } from './xml.ts';

const STORE: DrawnStore = {
  name: 'Shop',
  currency: 'EUR',
  timezone: 'Europe/Prague',
  locale: 'en-GB',
  data_until: '2026-03-15T10:00:00Z',
  history_starts_at: null,
};

type Json = Record<string, unknown>;

const FIELDS: Record<string, DescribedField> = {
  'periods.revenue': { unit: 'money', definition: 'What came in.', null: 'no orders' },
  'periods.rate': { unit: 'percent', definition: 'A share.', null: 'nothing to divide by' },
  'rows.revenue': { unit: 'money', definition: 'What came in.', null: 'no orders' },
};

function figureOf(
  chart: Chart | readonly Chart[],
  answer: Json,
  {
    fields = FIELDS,
    sort,
    ...more
  }: {
    args?: Json;
    sort?: Sort;
    compared?: { args: Json; answer: Json };
    store?: DrawnStore;
    fields?: Record<string, DescribedField>;
  } = {},
) {
  const described: DescribedCharts = {
    tool: 'a_tool',
    title: 'A tool',
    list: 'periods',
    identity: ['period', 'period_start', 'id'],
    keys: [],
    rowKeys: [],
    charts: [chart].flat() as Chart[],
    ...(sort && { sort }),
    fields,
  };
  return readFigure({ described, args: {}, answer, store: STORE, ...more });
}

const months = (...values: (number | null)[]) =>
  values.map((revenue, index) => {
    const period = `2026-${String(index + 1).padStart(2, '0')}`;
    return { period, period_start: `${period}-01`, revenue };
  });

const yearBefore = ({ period }: { period: string }) => ({
  period: period.replace('2026', '2025'),
  period_start: `${period.replace('2026', '2025')}-01`,
});

const REVENUE = line('periods', 'period', ['revenue']);

function svgOf(chart: Chart | readonly Chart[], answer: Json, width = 720): string {
  return drawFigure(figureOf(chart, answer), { width }).svg;
}

const barsOf = (figure: ReturnType<typeof figureOf>) => figure.panels[0] as BarPanel;
const panelOf = (figure: ReturnType<typeof figureOf>) => figure.panels[0] as LinePanel;

it('tells keys of a store apart, however alike they are', () => {
  const keys = [
    'vip',
    'vip_s',
    'vip_count',
    'opens',
    'opens_then',
    'avg',
    'average',
    'count',
    'at_risk',
    's',
  ];
  expect(new Set(keys.map(keyInWords)).size).toBe(keys.length);
  expect(['at_risk', 'cant_lose_them', 'seznam.cz', '(all)', '(other)'].map(keyInWords)).toEqual([
    ...['At risk', "Can't lose them", 'seznam.cz', '(all)', '(other: the rest)'],
  ]);
});

describe('things with one name', () => {
  const rowsOf = (rows: Json[]) => rows.map((row) => ({ ...months(1)[0], ...row }));

  it('are a line each, with their ids', () => {
    const chart = line('periods', 'period', ['revenue'], { by: [['name', 'id']] });
    const periods = rowsOf([
      { id: 'p1', name: 'Shirt', revenue: 10 },
      { id: 'p2', name: 'Shirt', revenue: 20 },
      { id: 'p3', name: 'Sock', revenue: 30 },
    ]);
    const { series } = panelOf(figureOf(chart, { periods }));
    expect(series.map(({ name, values }) => [name, values[0]?.value])).toEqual([
      ['Shirt (p1)', 10],
      ['Shirt (p2)', 20],
      ['Sock', 30],
    ]);
  });

  it('are told apart where `fields` left their names out', () => {
    const chart = line('periods', 'period', ['revenue'], { by: ['name'] });
    const periods = rowsOf([
      { id: 'c1', revenue: 1 },
      { id: 'c2', revenue: 2 },
    ]);
    const { series } = panelOf(figureOf(chart, { periods }));
    expect(series.map(({ name, values }) => [name, values[0]?.value])).toEqual([
      ['c1', 1],
      ['c2', 2],
    ]);
  });

  it('lose no row where nothing tells them apart', () => {
    const periods = rowsOf([{ revenue: 1 }, { revenue: 2 }]);
    for (const chart of [REVENUE, line('periods', 'period', ['revenue'], { by: ['name'] })]) {
      const { series } = panelOf(figureOf(chart, { periods }));
      expect(series.map(({ values }) => values[0]?.value)).toEqual([1, 2]);
      expect(new Set(series.map(({ name }) => name)).size).toBe(2);
    }
  });

  it('have bars, steps and intervals with their ids', () => {
    const periods = [
      { id: 'a', name: 'Shirt', revenue: 2, rate: 1, most: 2 },
      { id: 'b', name: 'Shirt', revenue: 2, rate: 1, most: 2 },
      { id: 'c', revenue: 1, rate: 1, most: 2 },
    ];
    const named = ['Shirt (a)', 'Shirt (b)', 'c'];
    const [drawn] = figureOf(bars('periods', ['name'], ['revenue']), { periods }).panels;
    expect(drawn).toMatchObject({ groups: named.map((label) => ({ label })) });
    const steps = figureOf(funnel('periods', ['name'], ['most', 'rate']), { periods }).panels;
    expect(steps).toMatchObject([{ groups: named.map((label) => ({ label })) }]);
    const chart = interval('periods', ['name'], { value: 'revenue', low: 'rate', high: 'most' });
    expect(figureOf(chart, { periods }).panels[0]).toMatchObject({
      groups: named.map((label) => ({ label })),
    });
  });
});

describe('what is not whole', () => {
  it('hatches the month that goes on, and draws none of the months after the data', () => {
    const figure = figureOf(REVENUE, { periods: months(10, 20, 5, 0, 0) });
    expect(panelOf(figure).columns.map(({ known }) => known)).toEqual([
      'whole',
      'whole',
      'incomplete',
      'after',
      'after',
    ]);
    expect(panelOf(figure).series[0]?.values.map((value) => value?.value)).toEqual([10, 20, 5, null, null]);
    expect(figure.notes).toContain('Hatched: not over yet, or not all known; it still changes.');
    const { svg } = drawFigure(figure, { width: 720 });
    expect(svg.match(/class="band"/g)).toHaveLength(3);
    expect(svg.match(/<circle/g)).toHaveLength(3);
    expect(tablesHtml(figure)).toContain('not loaded yet');
  });

  it.each([
    ['2026-03-14', 'whole'],
    ['2026-03-15', 'incomplete'],
    ['2026-03-16', 'after'],
  ])('takes the day %s for %s when data end on the 15th at eleven in Prague', (day, known) => {
    const figure = figureOf(REVENUE, { periods: [{ period: day, period_start: day, revenue: 1 }] });
    expect(panelOf(figure).columns[0]?.known).toBe(known);
  });

  it('draws no zeros where the answer says that nothing of its kind is loaded, whatever else is', () => {
    const figure = figureOf(REVENUE, { periods: months(0, 0), data_until: null });
    expect(panelOf(figure).columns.map(({ known }) => known)).toEqual(['after', 'after']);
    expect(panelOf(figure).series[0]?.values.map((value) => value?.value)).toEqual([null, null]);
    expect(figure.notes[0]).toBe('Nothing of this kind is loaded yet.');
    expect(figure.notes.join()).not.toContain('Data are loaded until');
  });

  it('says the same of bars whose label is the period', () => {
    const figure = figureOf(bars('periods', ['period'], ['revenue']), { periods: months(10, 20, 5, 0) });
    const [panel] = figure.panels;
    expect(panel).toMatchObject({
      groups: [
        { label: 'Jan 2026', isIncomplete: false, values: [{ value: 10 }] },
        { label: 'Feb 2026', isIncomplete: false, values: [{ value: 20 }] },
        { label: 'Mar 2026', isIncomplete: true, values: [{ value: 5 }] },
        { label: 'Apr 2026', isIncomplete: false, values: [{ value: null, text: 'not loaded yet' }] },
      ],
    });
    expect(tablesHtml(figure)).toContain('Mar 2026 (not over yet)');
  });

  describe('before the first loaded order', () => {
    const store = { ...STORE, history_starts_at: '2026-01-31T23:30:00Z' };
    const valuesOf = (figure: ReturnType<typeof figureOf>) =>
      panelOf(figure).series.map(({ values }) => values.map((value) => value?.value));

    it('has no value in periods that end before, in lines and in bars', () => {
      // In Prague it is of February already.
      const figure = figureOf(REVENUE, { periods: months(0, 20) }, { store });
      expect(panelOf(figure).columns.map(({ known }) => known)).toEqual(['before', 'whole']);
      expect(valuesOf(figure)).toEqual([[null, 20]]);
      expect(figure.notes).toContain(
        'The first loaded order is of 1 Feb 2026, 00:30; what was before is not known.',
      );
      expect(tablesHtml(figure)).toContain('before what is loaded');
      const [panel] = figureOf(
        bars('periods', ['period'], ['revenue']),
        { periods: months(0, 20) },
        { store },
      ).panels;
      expect(panel).toMatchObject({ groups: [{ values: [{ value: null }] }, { values: [{ value: 20 }] }] });
    });

    it('keeps numbers of what is loaded, and zeros of answers about something else', () => {
      expect(valuesOf(figureOf(REVENUE, { periods: months(7, 20) }, { store }))).toEqual([[7, 20]]);
      const messages = { periods: months(0, 20), data_until: '2026-03-15T10:00:00Z' };
      expect(valuesOf(figureOf(REVENUE, messages, { store }))).toEqual([[0, 20]]);
    });

    it('draws no line beside of which nothing is loaded', () => {
      const answer = { periods: months(0, 20).slice(1) };
      const nothing = { periods: months(0) };
      const figure = figureOf(REVENUE, answer, { store, compared: { args: {}, answer: nothing } });
      expect(valuesOf(figure)).toEqual([[20]]);
      expect(figure.notes.join()).toContain('what was before is not known');
      const half = figureOf(
        REVENUE,
        { periods: months(0, 20, 5).slice(1) },
        {
          store,
          compared: { args: {}, answer: { periods: months(0, 0) } },
        },
      );
      expect(valuesOf(half)).toEqual([
        [20, 5],
        [null, 0],
      ]);
    });
  });

  it('knows the last day of a week and of a month', () => {
    const week = (period: string, period_start: string) => ({ period, period_start, revenue: 1 });
    const figure = figureOf(REVENUE, {
      periods: [
        week('2026-W10', '2026-03-02'),
        week('2026-W11', '2026-03-09'),
        week('2026-W12', '2026-03-16'),
      ],
      data_until: '2026-03-15T22:59:00Z',
    });
    expect(panelOf(figure).columns.map(({ known }) => known)).toEqual(['whole', 'whole', 'after']);
  });

  it('says why there is no number, and never draws it as zero', () => {
    const answer = {
      rows: [
        { key: 'a', revenue: 4 },
        { key: 'b', revenue: null },
        { key: 'c', revenue: null, is_hidden: true },
      ],
    };
    const svg = svgOf(bars('rows', ['key'], ['revenue']), answer);
    expect(svg.match(/<rect class="bar/g)).toHaveLength(1);
    expect(textOf(parseXml(svg))).toContain('no orders');
    expect(textOf(parseXml(svg))).toContain('hidden');
    const gap = svgOf(REVENUE, { periods: months(10, null, 20) });
    expect(gap.match(/<circle/g)).toHaveLength(2);
    expect(/class="line c0" d="([^"]+)"/.exec(gap)?.[1]).not.toContain('L');
  });
});

describe('beside the values', () => {
  const forecast = {
    refused_because: null,
    metrics: [
      {
        metric: 'revenue',
        periods: [{ period: '2026-04', period_start: '2026-04-01', value: 30, low: 12, high: 48 }],
      },
    ],
  };

  it('draws the forecast with its interval, in place of the month that is not loaded', () => {
    const answer = { periods: months(10, 20, 5, 0), forecast };
    const figure = figureOf(REVENUE, answer);
    expect(panelOf(figure).columns.map(({ known }) => known)).toEqual([
      'whole',
      'whole',
      'incomplete',
      'forecast',
    ]);
    const { svg } = drawFigure(figure, { width: 720 });
    expect(svg).toContain('data-low="forecast.metrics.0.periods.0.low" data-low-value="12"');
    expect(readBack(svg, answer).problems).toEqual([]);
  });

  it.each([1, 2, 4])(
    'keeps the order of time where the month that is not over has a forecast too (%i months of it)',
    (count) => {
      const expected = months(...Array.from({ length: 7 }, (_, index) => 10 * index)).slice(2, 2 + count);
      const metrics = [
        {
          metric: 'revenue',
          periods: expected.map((row) => ({ ...row, value: row.revenue, low: 1, high: 90 })),
        },
      ];
      const answer = { periods: months(10, 20, 5, 0, 0), forecast: { refused_because: null, metrics } };
      // The year before, whose months are all whole.
      const before = { periods: months(1, 2, 3, 4, 5).map((row) => ({ ...row, ...yearBefore(row) })) };
      const figure = figureOf(REVENUE, answer, { compared: { args: {}, answer: before } });
      const { columns, series } = panelOf(figure);
      const rows = columns.map(({ label, known }, index) => [
        label.slice(0, 3),
        known,
        ...series.map(({ values }) => values[index]?.value ?? null),
      ]);
      expect(rows).toEqual([
        ['Jan', 'whole', 10, 1],
        ['Feb', 'whole', 20, 2],
        ['Mar', 'incomplete', 5, 3],
        ['Mar', 'forecast', 20, 3],
        count > 1 ? ['Apr', 'forecast', 30, 4] : ['Apr', 'after', null, 4],
        count > 2 ? ['May', 'forecast', 40, 5] : ['May', 'after', null, 5],
        ...(count > 3 ? [['Jun', 'forecast', 50, null]] : []),
      ]);
      const { problems } = readBack(drawFigure(figure, { width: 720 }).svg, answer, before);
      expect(problems).toEqual([]);
    },
  );

  it('draws the forecast of each line that has one', () => {
    const [of] = forecast.metrics;
    const more = {
      refused_because: null,
      metrics: [of, { metric: 'costs', periods: [{ ...of?.periods[0], value: 6, low: 5, high: 7 }] }],
    };
    const periods = months(10, 20, 5, 0).map((row) => ({ ...row, costs: 3, visits: 2 }));
    const answer = { periods, forecast: more };
    const figure = figureOf(line('periods', 'period', [['revenue', 'costs', 'visits']]), answer);
    expect(panelOf(figure).columns).toHaveLength(4);
    expect(panelOf(figure).series.map(({ values }) => values.at(-1)?.value)).toEqual([30, 6, undefined]);
    const { problems } = readBack(drawFigure(figure, { width: 720 }).svg, answer);
    expect(problems).toEqual([]);
  });

  it('draws none where it was refused', () => {
    const refused = { refused_because: 'it needs 24 whole months', metrics: [] };
    expect(panelOf(figureOf(REVENUE, { periods: months(1, 2), forecast: refused })).columns).toHaveLength(2);
  });

  it('draws the days before beside, the first beside the first', () => {
    const before = { periods: months(7, 8) };
    const figure = figureOf(REVENUE, { periods: months(10, 20) }, { compared: { args: {}, answer: before } });
    const { svg } = drawFigure(figure, { width: 720 });
    expect(panelOf(figure).series.map(({ values }) => values.map((value) => value?.value))).toEqual([
      [10, 20],
      [7, 8],
    ]);
    expect(readBack(svg, { periods: months(10, 20) }, before).problems).toEqual([]);
    expect(svg).toContain('data-at="compared.periods.1.revenue" data-value="8"');
  });

  it('says title, store, days, unit and until when data are loaded', () => {
    const args = { from_date: '2026-01-01T00:00:00', to_date: '2026-02-28T23:59:59' };
    const figure = figureOf(REVENUE, { periods: months(10, 20) }, { args });
    expect(figure).toMatchObject({ title: 'A tool', subtitle: ['Shop', '1 Jan 2026 – 28 Feb 2026'] });
    expect(figure.panels[0]?.heading).toBe('Revenue (EUR)');
    expect(figure.notes[0]).toBe('Data are loaded until 15 Mar 2026, 11:00 (Europe/Prague).');
    expect(figureOf(REVENUE, { periods: [], data_until: '2026-01-02T00:30:00Z' }).notes[0]).toContain(
      '2 Jan 2026, 01:30',
    );
  });

  it('writes dates in English, whatever the reader speaks, and in the order of their region', () => {
    const written = ['en-GB', 'en-US', 'cs-CZ', 'de', 'ja-JP', 'ar-EG'].map((locale) => {
      const store = { ...STORE, locale };
      return [formatDay('2026-08-31', store), weekdayName(1, store), formatPeriod('2026-08', store)];
    });
    for (const [day, weekday, month] of written) {
      expect(day).toMatch(/^(31 Aug 2026|Aug 31, 2026)$/);
      expect([weekday, month]).toEqual(['Mon', 'Aug 2026']);
    }
    expect(readerLocale('de-CH')).toBe('de-CH');
    // `Intl` writes in the computer's own language for one that it does not know.
    for (const told of [undefined, 'xx_not a locale', '', 'cs_CZ', 'xx-XX'])
      expect(readerLocale(told)).toBe('en-GB');
  });

  it('writes money and rates as the reader does', () => {
    const described = {
      tool: 't',
      title: 'T',
      list: null,
      identity: [],
      keys: [],
      rowKeys: [],
      charts: [REVENUE],
      fields: FIELDS,
    };
    const store = { ...STORE, locale: 'cs-CZ', currency: 'CZK' };
    const [panel] = readFigure({ described, args: {}, answer: { periods: months(1234.5) }, store }).panels;
    expect((panel as LinePanel).series[0]?.values[0]?.text.replaceAll(/\s/g, ' ')).toBe('1 234,50 Kč');
    const strange = { ...store, currency: 'not one' };
    const [without] = readFigure({
      described,
      args: {},
      answer: { periods: months(1234.5) },
      store: strange,
    }).panels;
    expect((without as LinePanel).series[0]?.values[0]?.text.replaceAll(/\s/g, ' ')).toBe('1 234,5');
  });
});

describe('answers of every shape', () => {
  it('has nothing to draw of an empty answer, and says so', () => {
    for (const answer of [
      {},
      { periods: [] },
      { periods: null },
      { columns: ['period', 'revenue'], rows: [] },
    ]) {
      const figure = figureOf(REVENUE, answer as Json);
      expect(figure.panels).toEqual([]);
      expect(drawFigure(figure, { width: 320 }).svg).toContain('There is nothing to draw in this answer.');
    }
  });

  it('draws what was asked for where `fields` left the rest out', () => {
    const both = line('periods', 'period', ['revenue', 'rate']);
    const periods = [{ period: '2026-01', period_start: '2026-01-01', rate: 50 }];
    expect(figureOf(both, { periods }).panels.map(({ heading }) => heading)).toEqual(['Rate (%)']);
  });

  it.each([
    ['one point', [5]],
    ['nothing but zeros', [0, 0]],
    ['losses', [5, -8]],
    ['losses alone', [-5, -8]],
    ['very small and very large', [1e-4, 9e12]],
  ])('draws %s where it belongs', (_name, values) => {
    for (const [chart, answer] of [
      [REVENUE, { periods: months(...values) }],
      [
        bars('rows', ['key'], ['revenue']),
        { rows: values.map((revenue, index) => ({ key: `k${index}`, revenue })) },
      ],
    ] as const) {
      for (const width of [720, 320]) {
        const svg = svgOf(chart, answer, width);
        expect(svg).not.toMatch(/NaN|Infinity|undefined/);
        expect(readBack(svg, answer)).toMatchObject({ marks: values.length, problems: [] });
      }
    }
  });

  it('draws thousands of points as lines, each where it belongs', () => {
    const periods = Array.from({ length: 5000 }, (_, index) => {
      const day = new Date(Date.UTC(2012, 0, 1 + index)).toISOString().slice(0, 10);
      return { period: day, period_start: day, revenue: (index * 7919) % 1000 };
    });
    const svg = svgOf(REVENUE, { periods });
    expect(svg.length).toBeLessThan(200_000);
    const [from = 0, start = 0, to = 0, end = 0] =
      /data-scale="([^"]+)"/.exec(svg)?.[1]?.split(' ').map(Number) ?? [];
    const drawn = [
      ...(/class="line c0" d="([^"]+)"/.exec(svg)?.[1] ?? '').matchAll(/[ML][\d.]+ ([\d.]+)/g),
    ].map(([, y]) => from + ((Number(y) - start) / (end - start)) * (to - from));
    expect(drawn).toHaveLength(5000);
    for (const [index, value] of drawn.entries())
      expect(value).toBeCloseTo(periods[index]?.revenue ?? Number.NaN, -0.5);
  });

  it('draws no more lines than can be told apart, and says so', () => {
    const periods = Array.from({ length: 40 }, (_, index) => ({
      ...months(index)[0],
      name: `Product ${index}`,
    }));
    const figure = figureOf(line('periods', 'period', ['revenue'], { by: ['name'] }), { periods });
    expect(panelOf(figure).series.map(({ values }) => values[0]?.value)).toEqual(
      Array.from({ length: 6 }, (_, index) => 39 - index),
    );
    expect(figure.notes).toContain('Only 6 of 40 are drawn, by revenue.');
  });

  it('says how many there are where a limit left most of them out of the answer', () => {
    const periods = Array.from({ length: 30 }, (_, id) => ({ id: `k${id}`, revenue: id, rate: 1, most: 9 }));
    const notesOf = (chart: Chart, answer: Json) =>
      figureOf(chart, answer).notes.filter((note) => note.startsWith('Only'));
    const ten = { periods: periods.slice(0, 10), total_count: 500 };
    for (const chart of [
      bars('periods', ['id'], ['revenue', 'rate']),
      interval('periods', ['id'], { value: 'revenue', low: 'rate', high: 'most' }),
      matrix('periods', 'id', 'id', 'revenue'),
    ]) {
      expect(notesOf(chart, ten)).toEqual(['Only 10 of 500 are drawn.']);
      expect(notesOf(chart, { ...ten, total_count: 10 })).toEqual([]);
    }
    expect(notesOf(funnel('periods', ['id'], ['most', 'rate']), ten)).toEqual(['Only 6 of 500 are drawn.']);
    expect(notesOf(funnel('periods', ['id'], ['most', 'rate']), { periods })).toEqual([
      'Only 6 of 30 are drawn, by most.',
    ]);
    const all = { periods, total_count: 1500 };
    expect(notesOf(bars('periods', ['id'], ['revenue']), all)).toEqual(['Only 24 of 1,500 are drawn.']);
    expect(notesOf(bars('periods', ['id'], ['revenue']), { periods })).toEqual([
      'Only 24 of 30 are drawn, by revenue.',
    ]);
    // The count says nothing about another list.
    expect(notesOf(bars('rows', ['id'], ['revenue']), { rows: ten.periods, total_count: 500 })).toEqual([]);
  });
});

it('names the bars of the whole answer', () => {
  const chart = bars('', [], [['revenue', 'most']]);
  const answer = { revenue: 3, most: 5 };
  const figure = figureOf(chart, answer);
  expect(figure.panels[0]).toMatchObject({ series: ['Revenue', 'Most'], groups: [{ label: 'All' }] });
  expect(readBack(drawFigure(figure, { width: 320 }).svg, answer)).toMatchObject({
    marks: 2,
    problems: [],
  });
});

it('names the panels that lack rows where others have all of theirs', () => {
  const periods = Array.from({ length: 30 }, (_, id) => ({ id: `k${id}`, revenue: id, rate: 1, most: 9 }));
  const rows = [{ key: 'a', revenue: 1 }];
  const notesOf = (...charts: Chart[]) =>
    figureOf(charts, { periods, rows }).notes.filter((note) => note.includes('drawn'));
  const all = bars('rows', ['key'], ['revenue']);
  expect(notesOf(bars('periods', ['id'], ['revenue', 'rate']), all)).toEqual([
    'Revenue, Rate by id: only 24 of 30 are drawn, by revenue.',
  ]);
  expect(notesOf(funnel('periods', ['id'], ['most', 'rate']), bars('periods', ['id'], ['revenue']))).toEqual([
    'Most → Rate: only 6 of 30 are drawn, by most.',
    'Revenue by id: only 24 of 30 are drawn, by revenue.',
  ]);
  expect(notesOf(all)).toEqual([]);
});

describe('which revenue it is', () => {
  const ofStore = { unit: 'money', definition: 'All of order_statistics.', revenue: 'of the store' } as const;
  const credited = { unit: 'money', definition: 'Orders credited to SMS.', revenue: 'credited' } as const;
  const fields = {
    'rows.total_revenue': ofStore,
    'rows.attributed_revenue': credited,
    'rows.last_click_revenue': { ...credited, definition: 'SMS was the last click.' },
    'rows.estimated_revenue': { unit: 'money', definition: 'Quantity x unit price.' },
    'rows.cost': { unit: 'money', definition: 'What it cost.' },
  } as const;
  const row = Object.fromEntries(Object.keys(fields).map((path) => [path.slice(5), 3]));
  const saysOf = (...keys: string[]) =>
    figureOf(bars('rows', ['key'], [keys]), { rows: [{ key: 'a', ...row }] }, { fields }).panels[0]?.says;

  it("is said by its definition, and whether it is the store's own", () => {
    expect(saysOf('estimated_revenue')).toEqual(['Estimated revenue: quantity x unit price.']);
    expect(saysOf('attributed_revenue')).toEqual([
      'Attributed revenue: orders credited to SMS.',
      "The store's own revenue is another: this is credited by a rule.",
    ]);
    expect(saysOf('attributed_revenue', 'last_click_revenue')).toEqual([
      'Attributed revenue: orders credited to SMS.',
      'Last click revenue: SMS was the last click.',
      "The store's own revenue is another: these are credited by a rule.",
    ]);
    expect(saysOf('total_revenue', 'attributed_revenue')).toEqual([
      "Total revenue: all of order statistics; the store's own revenue.",
      'Attributed revenue: orders credited to SMS.',
    ]);
    expect(saysOf('cost')).toEqual([]);
  });

  it('stands in the picture, and in its text for screen readers', () => {
    const chart = bars('rows', ['key'], ['estimated_revenue']);
    const { svg } = drawFigure(figureOf(chart, { rows: [{ key: 'a', ...row }] }, { fields }), { width: 320 });
    expect(svg.match(/Estimated revenue: quantity x unit price\./g)).toHaveLength(2);
  });
});

describe('days of which a range has more than of others', () => {
  const charts = [
    heat('rows', 'revenue', { times: 'occurrences' }),
    bars('rows', ['key'], ['revenue'], { times: 'occurrences' }),
  ];
  const rowsOf = (...times: (number | null)[]) =>
    times.map((occurrences, index) => ({
      key: `${index + 1}`,
      weekday: index + 1,
      revenue: 30,
      occurrences,
    }));
  const IN_BRACKETS =
    'In brackets: how many Mondays, Tuesdays and so on these days have. The numbers are sums of them, and no averages.';

  it('are counted beside their names, in the table and where one points', () => {
    const rows = rowsOf(13, 14);
    const figure = figureOf(charts, { rows });
    for (const width of [720, 320]) {
      const { svg, spots } = drawFigure(figure, { width });
      expect(readBack(svg, { rows })).toMatchObject({ marks: 2, labels: 4, problems: [] });
      expect(textOf(parseXml(svg))).toContain('Tue (14×)');
      expect(textOf(parseXml(svg))).toContain(IN_BRACKETS);
      expect(spots[1]?.lines()[1]).toBe('Revenue: €30 in 14 of them together');
    }
    expect(tablesHtml(figure)).toContain('Mon (13×)');
    const wrong = drawFigure(figure, { width: 720 }).svg.replaceAll('(14×)', '(13×)');
    expect(readBack(wrong, { rows }).problems).not.toEqual([]);
  });

  it.each([[[13, 13]], [[null, null]]])('need no count where there are as many of each: %j', (times) => {
    const { svg } = drawFigure(figureOf(charts, { rows: rowsOf(...times) }), { width: 720 });
    expect(textOf(parseXml(svg))).not.toMatch(/×|In brackets/);
  });

  it('are counted beside weekdays whose hours agree', () => {
    const hours = [0, 1].flatMap((hour) =>
      rowsOf(13, 14, 15).map((row) => ({
        ...row,
        hour,
        occurrences: row.occurrences === 15 ? 15 + hour : row.occurrences,
      })),
    );
    const figure = figureOf(charts, { rows: hours });
    expect(figure.panels[0]).toMatchObject({ says: ['Revenue: what came in.', IN_BRACKETS] });
    const { svg } = drawFigure(figure, { width: 320 });
    expect(readBack(svg, { rows: hours }).problems).toEqual([]);
    const counted = textOf(parseXml(svg)).match(/[A-Z]\w\w \(\d+×\)/g);
    expect([...new Set(counted)]).toEqual(['Mon (13×)', 'Tue (14×)']);
    // Hours go down where the picture is narrow, so that cells have room for their numbers.
    expect([...svg.matchAll(/class="told[^>]*>€30</g)]).toHaveLength(hours.length);
  });
});

describe('an interval of what goes on', () => {
  const chart = interval('rows', ['id'], { value: 'revenue', low: 'low', high: 'high', reference: 0 });
  const row = { id: 'a', revenue: 5, low: 1, high: 9 };
  const drawn = (answer: Json) => {
    const figure = figureOf(chart, answer);
    const { svg } = drawFigure(figure, { width: 400 });
    expect(readBack(svg, answer).problems).toEqual([]);
    const isNoted = figure.notes.some((note) => note.startsWith('Hatched'));
    expect(svg.includes('url(#chart-hatch-lit)')).toBe(isNoted);
    expect(tablesHtml(figure).includes('a (not over yet)')).toBe(isNoted);
    expect(textOf(parseXml(svg)).includes('a (not over yet)')).toBe(isNoted);
    return isNoted;
  };

  it('says that it is not over: as its row says, or its test', () => {
    expect(drawn({ rows: [row] })).toBe(false);
    expect(drawn({ rows: [{ ...row, is_mature: true }], phase: 'finished' })).toBe(false);
    expect(drawn({ rows: [{ ...row, is_mature: false }], phase: 'winner_sent' })).toBe(true);
    expect(drawn({ rows: [{ ...row, is_mature: true }], phase: 'testing' })).toBe(true);
  });
});

describe('which rows are drawn', () => {
  const chart = bars('periods', ['id'], ['revenue', 'rate']);
  const rowsOf = (...values: (number | null)[]) =>
    values.map((revenue, index) => ({ id: `k${index}`, revenue, rate: index }));
  const drawnOf = (figure: ReturnType<typeof figureOf>, panel = 0) => {
    const { groups } = figure.panels[panel] as BarPanel;
    return groups.map(({ label, values }) => [label, values[0]?.value]);
  };

  it('are those with the greatest value of the first field, in its order in every panel', () => {
    const figure = figureOf(chart, { periods: rowsOf(3, null, 9, -1, 9) });
    expect(drawnOf(figure)).toEqual([
      ['k2', 9],
      ['k4', 9],
      ['k0', 3],
      ['k3', -1],
      ['k1', null],
    ]);
    expect(drawnOf(figure, 1).map(([label]) => label)).toEqual(['k2', 'k4', 'k0', 'k3', 'k1']);
    const many = rowsOf(...Array.from({ length: 100 }, (_, index) => (index * 37) % 100));
    const greatest = drawnOf(figureOf(chart, { periods: many })).map(([, value]) => value);
    expect(greatest).toEqual(Array.from({ length: 24 }, (_, index) => 99 - index));
    const svg = svgOf(chart, { periods: many });
    expect(readBack(svg, { periods: many })).toMatchObject({ marks: 48, problems: [] });
  });

  it('are the first of an answer that was sorted, and what sorted them is drawn', () => {
    const sort = { sort_by: 'rate', sort_order: 'desc' };
    const sorted = bars('periods', ['id'], ['revenue'], { sortedBy: 'sort_by' });
    const answer = { periods: rowsOf(1, 9, 3).toReversed(), total_count: 24 };
    const byDefault = figureOf(sorted, answer, { sort });
    expect(byDefault.panels[0]?.heading).toContain('Rate');
    expect(drawnOf(byDefault)).toEqual([
      ['k2', 2],
      ['k1', 1],
      ['k0', 0],
    ]);
    expect(byDefault.notes).toContain('Only 3 of 24 are drawn, by rate.');
    const asked = figureOf(sorted, answer, {
      sort,
      args: { sort_by: 'first_sent_at', sort_order: 'asc' },
    });
    expect(drawnOf(asked)).toEqual([
      ['k2', 3],
      ['k1', 9],
      ['k0', 1],
    ]);
    expect(asked.notes).toContain('Only 3 of 24 are drawn, by first sent at, ascending.');
    const { periods } = answer;
    expect(figureOf(sorted, { periods }, { sort }).notes).toContain(
      'The answer has 3, by rate; its limit may leave others out.',
    );
    expect(byDefault.notes.join()).not.toContain('may leave');
    // What a limit left out of an answer that nobody sorted may be greater.
    expect(figureOf(sorted, answer).notes).toContain('Only 3 of 24 are drawn.');
  });

  it('draws what ranks first, and beside it what is declared', () => {
    const both = bars('periods', ['id'], ['revenue', 'most'], { sortedBy: 'sort_by' });
    const answer = { periods: rowsOf(1, 9).map((row) => ({ ...row, most: 4 })) };
    const of = (sort_by: string) =>
      figureOf(both, answer, { sort: { sort_by, sort_order: 'desc' } }).panels.map(({ heading, says }) => [
        heading,
        says.at(-1),
      ]);
    expect(of('rate')).toEqual([
      ['Rate (%) by id', undefined],
      ['Revenue (EUR) by id, only the first by rate', 'Revenue: what came in.'],
      ['Most by id, only the first by rate', undefined],
    ]);
    expect(of('revenue')).toEqual([
      ['Revenue (EUR) by id', 'Revenue: what came in.'],
      ['Most by id, only the first by revenue', undefined],
    ]);
  });

  it.each([
    ['bins', ['<0', '0-1000', '1000-2000', '2000+']],
    ['hours', ['00', '01', '23']],
    ['order numbers', ['1', '2', '10+', '(no customer)']],
    ['weeks', ['2026-W01', '2026-W02']],
  ])('keep the order that %s have', (_name, keys) => {
    const rows = keys.map((key, index) => ({ key, revenue: index }));
    const drawn = drawnOf(figureOf(bars('rows', ['key'], ['revenue']), { rows }));
    expect(drawn.map(([label]) => label)).toEqual(keys);
  });

  it('keep the order of days', () => {
    const rows = [1, 3, 7].map((from_day) => ({ from_day, to_day: from_day + 1, revenue: from_day }));
    const drawn = drawnOf(figureOf(bars('rows', ['from_day', 'to_day'], ['revenue']), { rows }));
    expect(drawn.map(([label]) => label)).toEqual(['1–2', '3–4', '7–8']);
  });
});

describe('whole weeks', () => {
  const periods = [
    { period: '2026-W01', period_start: '2025-12-29', revenue: 1 },
    { period: '2026-W02', period_start: '2026-01-05', revenue: 2 },
  ];

  it('are told by the day they begin with', () => {
    const { columns } = panelOf(figureOf(REVENUE, { periods }));
    expect(columns.map(({ label }) => label)).toEqual(['W01, 29 Dec 2025', 'W02, 5 Jan 2026']);
    // Every Monday of thirty years: a week is of the year of its Thursday.
    for (let monday = Date.UTC(2000, 0, 3); monday < Date.UTC(2030, 0, 1); monday += 7 * 86_400_000) {
      const thursday = new Date(monday + 3 * 86_400_000);
      const year = thursday.getUTCFullYear();
      const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * 86_400_000)) + 1;
      const said = formatPeriod(`${year}-W${String(week).padStart(2, '0')}`, STORE);
      expect(Date.parse(`${said.slice(5)} UTC`)).toBe(monday);
    }
  });

  it.each([
    ['2026-01-01T00:00:00', '2026-01-11T23:59:59', true],
    ['2025-12-29T00:00:00', '2026-01-10T23:59:59', true],
    ['2025-12-29T00:00:00', '2026-01-11T23:59:59', false],
    // In Prague it is the 29th already.
    ['2025-12-28T23:30:00Z', '2026-01-11T23:59:59', false],
  ])('say so where they are more than the days asked about: %s to %s', (from_date, to_date, isSaid) => {
    const { notes } = figureOf(REVENUE, { periods }, { args: { from_date, to_date } });
    const said = 'Along time, whole periods are drawn: 29 Dec 2025 – 11 Jan 2026.';
    expect(notes.includes(said)).toBe(isSaid);
  });
});

it('hatches what still changes as the row says, else as the answer does of all of it', () => {
  const email = { sent_count: 9, clicks: 3 };
  const isHatched = (answer: Json) =>
    figureOf(funnel('email', [], ['sent_count', 'clicks']), answer).notes.some((note) =>
      note.startsWith('Hatched'),
    );
  expect(isHatched({ email, is_mature: false })).toBe(true);
  expect(isHatched({ email, is_mature: true })).toBe(false);
  expect(isHatched({ email: { ...email, is_mature: true }, is_mature: false })).toBe(false);
  // A bar of zero shows no hatching, so nothing explains it.
  expect(isHatched({ email: { sent_count: 0, clicks: 0 }, is_mature: false })).toBe(false);
});

it('says of how many a rate is, beside its bar and to whoever points at it or listens', () => {
  const fields = {
    'rows.rate': { unit: 'percent', definition: 'clicks / sent_count.', of: 'sent_count' },
    'rows.sent_count': { unit: 'messages' },
  };
  const rows = [
    { id: 'a', rate: 25, sent_count: 1200 },
    { id: 'b', rate: 7.12345 },
  ];
  const figure = figureOf(bars('rows', ['id'], ['rate']), { rows }, { fields });
  const { svg, spots } = drawFigure(figure, { width: 720 });
  expect(spots.map(({ lines }) => lines()[1])).toEqual([
    'Rate: 25\u00a0% of 1,200 messages',
    'Rate: 7.1235\u00a0%',
  ]);
  expect(/<desc[^>]*>([^<]*)/.exec(svg)?.[1]).toContain('25\u00a0% of 1,200 messages');
  const labels = [...svg.matchAll(/class="value"[^>]*>([^<]+)(<tspan[^>]*> of 1,200 messages)?/g)];
  expect(labels.map(([, label]) => label)).toEqual(['25\u00a0%', '7.12\u00a0%']);
  expect(labels.map(([, , whole]) => whole !== undefined)).toEqual([true, false]);
  expect(readBack(svg, { rows })).toMatchObject({ marks: 2, labels: 3, problems: [] });
  // A narrow picture has no room for what they are.
  expect(drawFigure(figure, { width: 320 }).svg).toContain(' of 1,200</tspan>');
  const wrong = svg.replaceAll(' of 1,200 messages</tspan>', ' of 1,300 messages</tspan>');
  expect(readBack(wrong, { rows }).problems).toHaveLength(1);
});

it('says that there was nothing to take the mean of, where a tool answers 0', () => {
  const fields = {
    'rows.average': { unit: 'money', definition: 'revenue / orders_count.', per: 'orders_count' },
    'rows.orders_count': { unit: 'orders' },
  };
  const rows = [
    { id: 'a', average: 0, orders_count: 0 },
    { id: 'b', average: 0, orders_count: 3 },
  ];
  const panel = barsOf(figureOf(bars('rows', ['id'], ['average']), { rows }, { fields }));
  const told = panel.groups.map(({ label, values: [value] }) => [label, value?.value, value?.text]);
  expect(told).toEqual([
    ['b', 0, '€0'],
    ['a', null, 'no orders'],
  ]);
});

it('has rates of few last, however high they are and whatever the answer is sorted by', () => {
  const fields = {
    'periods.rate': { unit: 'percent', definition: 'clicks / sent_count.', of: 'sent_count' },
    'periods.sent_count': { unit: 'messages' },
  };
  const periods = [
    { id: 'few', rate: 100, sent_count: 3 },
    { id: 'low', rate: 10, sent_count: 3000 },
    { id: 'high', rate: 20, sent_count: 3000 },
  ];
  const labels = (sort?: Sort) => {
    const figure = figureOf(
      bars('periods', ['id'], ['rate']),
      { periods },
      { fields, ...(sort && { sort }) },
    );
    return barsOf(figure).groups.map(({ label }) => label);
  };
  expect(labels()).toEqual(['high', 'low', 'few']);
  expect(labels({ sort_by: 'rate', sort_order: 'desc' })).toEqual(['low', 'high', 'few']);
});

it('draws the limits that bars are judged by, so that a bar far below them is short', () => {
  const fields = { 'rows.rate': { unit: 'percent', definition: 'A share.' } };
  const rows = [{ id: 'a', rate: 0.01 }];
  const figure = figureOf(bars('rows', ['id'], ['rate'], { limits: [0.1, 0.3] }), { rows }, { fields });
  const { svg } = drawFigure(figure, { width: 720 });
  expect([...svg.matchAll(/class="axis"[^>]*>([^<]*)/g)].map(([, text]) => text)).toEqual([
    '0.1\u00a0%',
    '0.3\u00a0%',
  ]);
  const [, from = 0, start = 0, to = 0, end = 0] = (
    /data-scale="(\S+) (\S+) (\S+) (\S+)"/.exec(svg) ?? []
  ).map(Number);
  expect([from, to]).toEqual([0, 0.3]);
  const width = Number(/class="bar[^>]*width="([\d.]+)"/.exec(svg)?.[1]);
  expect(width / (end - start)).toBeCloseTo(1 / 30, 3);
});

it('does not say of what goes on by itself that it is not over', () => {
  const rows = [{ id: 'a', revenue: 9, is_mature: false }];
  const chart = bars('rows', ['id'], ['revenue']);
  const isHatched = (one: Chart) =>
    barsOf(figureOf(one, { rows })).groups.map(({ isIncomplete }) => isIncomplete);
  expect([isHatched(chart), isHatched(goingOn(chart))]).toEqual([[true], [false]]);
});

it('labels money from a thousand on without cents, which are in the table', () => {
  const rows = [999.99, 1000, 1234.5, 1234.49, -5678.91].map((revenue, index) => ({
    id: `k${index}`,
    revenue,
  }));
  const figure = figureOf(bars('rows', ['id'], ['revenue']), { rows });
  const { groups } = figure.panels[0] as BarPanel;
  expect(groups.map(({ values: [value] }) => [value?.short, value?.text])).toEqual([
    ['€1,235', '€1,234.50'],
    ['€1,234', '€1,234.49'],
    ['€1,000', '€1,000'],
    ['€999.99', '€999.99'],
    ['-€5,679', '-€5,678.91'],
  ]);
  expect(readBack(drawFigure(figure, { width: 720 }).svg, { rows }).problems).toEqual([]);
});

const HOSTILE = [
  '</text><script>alert(1)</script>',
  '" onload="alert(1)',
  ']]>&amp;<!--',
  'a\u0000b\u0007c\ufffe\ud800',
  '\u202Eevil',
  "=cmd|'/c calc'!A1",
  'x'.repeat(5000),
  '名'.repeat(300),
];

describe.each([
  [
    'lines',
    line('rows', 'period', ['revenue'], { by: ['key'] }),
    (key: string) => ({ rows: [{ ...months(3)[0], key }] }),
  ],
  ['periods', line('rows', 'key', ['revenue']), (key: string) => ({ rows: [{ key, revenue: 3 }] })],
  ['bars', bars('rows', ['key'], ['revenue']), (key: string) => ({ rows: [{ key, revenue: 3 }] })],
  [
    'funnels',
    funnel('rows', ['key'], ['revenue', 'rate']),
    (key: string) => ({ rows: [{ key, revenue: 3, rate: 2 }] }),
  ],
  [
    'intervals',
    interval('rows', ['key'], { value: 'revenue', low: 'rate', high: 'most' }),
    (key: string) => ({ rows: [{ key, revenue: 3, rate: 2, most: 5 }] }),
  ],
  [
    'matrices',
    matrix('rows', 'key', 'to', 'revenue'),
    (key: string) => ({ rows: [{ key, to: `${key}2`, revenue: 3 }] }),
  ],
  [
    'cohorts',
    cohorts('rows', ['key'], 'periods', {
      across: 'index',
      value: 'rate',
      complete: 'whole',
      size: 'people',
    }),
    (key: string) => ({ rows: [{ key, periods: [{ index: 0, rate: 3, whole: true }] }] }),
  ],
] as const)('names out of a store in %s', (_name, chart, answerWith) => {
  it.each(HOSTILE)('are texts: %.40s', (name) => {
    for (const width of [720, 320]) {
      const figure = figureOf(chart, answerWith(name));
      const { svg } = drawFile(figure, width);
      const elements = [...elementsOf(parseXml(svg))].map(([element]) => element);
      expect(elements.map((element) => element.name)).not.toContain('script');
      expect(
        elements.flatMap(({ attribs }) => Object.keys(attribs)).filter((key) => key.startsWith('on')),
      ).toEqual([]);
      expect(svg).not.toContain('\u202e');
      // Nothing runs out of the picture: of a text that is cut, less than its width is left.
      for (const element of elements.filter((one) => one.name === 'text')) {
        expect(textOf(element).length * 4, textOf(element)).toBeLessThan(width * 1.6);
      }
      parseXml(tablesHtml(figure));
    }
  });
});

it('draws a heat map only of weekdays with hours, and then no bars of the same rows', () => {
  const charts = [heat('rows', 'revenue'), bars('rows', ['key'], ['revenue'])];
  const rows = [{ key: '1-09', weekday: 1, hour: 9, revenue: 3 }];
  expect(figureOf(charts, { rows }).panels.map(({ kind }) => kind)).toEqual(['cells']);
  const weekdays = figureOf(charts, { rows: [{ key: '1', weekday: 1, hour: null, revenue: 3 }] });
  expect(weekdays.panels.map(({ kind }) => kind)).toEqual(['bars']);
  expect(textOf(parseXml(drawFigure(weekdays, { width: 400 }).svg))).toContain('Mon');
});

it('draws a grid for each third score, side by side where there is room', () => {
  const rows = [1, 2].flatMap((monetary) => [{ recency: 1, frequency: 2, monetary, revenue: 10 * monetary }]);
  const chart = grid('rows', { down: 'recency', across: 'frequency', each: 'monetary' }, 'revenue');
  const figure = figureOf(chart, { rows });
  expect(figure.panels.map(({ heading }) => heading)).toEqual([
    'Revenue (EUR), monetary score 2',
    'Revenue (EUR), monetary score 1',
  ]);
  expect(drawFigure(figure, { width: 720 }).height).toBeLessThan(drawFigure(figure, { width: 320 }).height);
});

describe('shades of cells', () => {
  const chart = matrix('rows', 'from', 'to', 'revenue');
  const rows = (...values: (number | null)[]) => ({
    rows: values.map((revenue, index) => ({ from: 'a', to: `b${index}`, revenue })),
  });

  it.each([
    [
      'every sixth, its bounds, and what is unknown',
      [0, 1, 9.99, 10, 20, 29.99, 30, 40, 50, 59.99, 60, null],
    ],
    ['nothing but zeros', [0, 0]],
    ['less than nothing', [-4, 0, 3]],
    ['one alone', [0.001]],
  ])('say what the value is of the greatest: %s', (_name, values) => {
    const svg = svgOf(chart, rows(...values));
    expect(readBack(svg, rows(...values))).toMatchObject({ shades: values.length, problems: [] });
  });

  it('are found out when they are wrong', () => {
    const svg = svgOf(chart, rows(10, 60)).replace('cell q7', 'cell q1');
    expect(readBack(svg, rows(10, 60)).problems).not.toEqual([]);
    const another = svgOf(chart, rows(10, 60)).replace('cell q2', 'cell q7');
    expect(readBack(another, rows(10, 60)).problems).not.toEqual([]);
  });

  it('are of one scale in all grids of a third score', () => {
    const cells = [1, 2, 3].map((monetary) => ({
      recency: 1,
      frequency: 1,
      monetary,
      revenue: 20 * monetary,
    }));
    const each = grid('rows', { down: 'recency', across: 'frequency', each: 'monetary' }, 'revenue');
    const read = readBack(svgOf(each, { rows: cells }), { rows: cells });
    expect(read).toMatchObject({ shades: 3, problems: [] });
  });

  it('go from the paper away, on light paper and on dark', () => {
    const shades = [...CHART_STYLES.matchAll(/\.q\d\{fill:light-dark\((#\w{6}),(#\w{6})\)\}/g)];
    expect(shades).toHaveLength(8);
    const brightness = (colour = '') => {
      const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
        Number.parseInt(colour.slice(at, at + 2), 16),
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const onLight = shades.map(([, light]) => brightness(light));
    const onDark = shades.map(([, , dark]) => brightness(dark));
    expect(onLight).toEqual([...onLight].sort((one, two) => two - one));
    expect(onDark).toEqual([...onDark].sort((one, two) => one - two));
    expect(new Set(onLight).size + new Set(onDark).size).toBe(16);
  });
});

it('draws no zero in bars, steps and cells of an answer whose kind is not loaded', () => {
  const rows = [{ id: 'a', weekday: 1, hour: 9, revenue: 0, rate: 0 }];
  const answer = { rows, data_until: null };
  for (const chart of [
    bars('rows', ['id'], ['revenue']),
    funnel('rows', ['id'], ['revenue', 'rate']),
    heat('rows', 'revenue'),
  ]) {
    const svg = svgOf(chart, answer);
    expect(svg, chart.kind).not.toContain('data-value="0"');
    expect(textOf(parseXml(svg)), chart.kind).toContain('not loaded yet');
    expect(svgOf(chart, { ...answer, data_until: '2026-03-15T10:00:00Z' })).toContain('data-value="0"');
    // What is not zero is of something that is loaded.
    expect(svgOf(chart, { ...answer, rows: [{ ...rows[0], revenue: 7 }] })).toContain('data-value="7"');
  }
});

it.each([
  [{ label: ['category'], args: {} }, { category: 'Tents' }, 'Revenue (EUR) by category'],
  [{ label: ['from_day', 'to_day'], args: {} }, { from_day: 0, to_day: 6 }, 'Revenue (EUR) by day'],
  [{ label: ['campaign_name'], args: {} }, { campaign_name: 'Sale' }, 'Revenue (EUR) by campaign'],
  [{ label: ['name'], args: {} }, { name: 'Shirt' }, 'Revenue (EUR)'],
  [{ label: ['key'], args: { group_by: 'rfm_segment' } }, { key: 'x' }, 'Revenue (EUR) by RFM segment'],
  [{ label: ['key'], args: { group_by: 'none' } }, { key: '(all)' }, 'Revenue (EUR)'],
])('says what bars are of: %j', ({ label, args }, row, heading) => {
  const chart = bars('rows', label, ['revenue'], { groupedBy: 'group_by' });
  const [panel] = figureOf(chart, { rows: [{ ...row, revenue: 3 }] }, { args }).panels;
  expect(panel?.heading).toBe(heading);
});

it('keeps the site and the end of an address that is too long, and not how it is asked for', () => {
  const key = `https://shop.example/${'a-long-way/'.repeat(20)}the-page`;
  const said = textOf(parseXml(svgOf(bars('rows', ['key'], ['revenue']), { rows: [{ key, revenue: 3 }] })));
  expect(said).toContain('/the-page');
  expect(said).toContain('shop.example/a-long');
  expect(said).not.toContain('…ps://');
  // Also behind what is said before it.
  const chart = bars('rows', ['type', ['label', 'key']], ['revenue']);
  const rows = [
    { type: 'other', label: null, key: 'https://shop.example/', revenue: 3 },
    { type: 'social', label: 'social', revenue: 2 },
  ];
  const drawn = textOf(parseXml(svgOf(chart, { rows })));
  expect(drawn).toContain('other · shop.example/');
  expect(drawn).not.toContain('social · social');
  expect(said).toContain('…');
});

it('names what is drawn, and not what an assistant does', () => {
  const described = {
    tool: 't',
    title: 'Get product',
    list: null,
    identity: [],
    keys: [],
    rowKeys: [],
    charts: [],
    fields: {},
  };
  expect(readFigure({ described, args: {}, answer: {}, store: STORE }).title).toBe('Product');
});

it('names both ends of a flow in one order, and keys of ours in words', () => {
  const transitions = [
    ['at_risk', 'lost'],
    ['lost', 'at_risk'],
    ['lost', 'back'],
  ].map(([from, to]) => ({ from, to, revenue: 5 }));
  const fields = {
    'rows.from': { isKey: true },
    'rows.to': { isKey: true },
    'rows.revenue': { unit: 'orders' },
  } as const;
  const figure = figureOf(
    [flow('rows', 'from', 'to', 'revenue'), matrix('rows', 'from', 'to', 'revenue')],
    { rows: transitions },
    { fields },
  );
  expect(figure.panels).toMatchObject([
    { sources: ['At risk', 'Lost'], targets: ['At risk', 'Lost', 'Back'] },
    { rows: ['At risk', 'Lost'], columns: ['At risk', 'Lost', 'Back'] },
  ]);
  const named = figureOf(bars('rows', ['from'], ['revenue']), { rows: transitions.slice(0, 1) });
  expect(named.panels[0]).toMatchObject({ groups: [{ label: 'at_risk' }] });
});

it('draws the interval of a number that stands in an object of its row', () => {
  const rows = [
    { id: 'a', lift: { revenue: 5, low: 1, high: 9 } },
    { id: 'b', lift: null },
  ];
  const chart = interval('rows', ['id'], {
    value: 'lift.revenue',
    low: 'lift.low',
    high: 'lift.high',
    reference: 0,
  });
  const svg = svgOf(chart, { rows });
  expect(readBack(svg, { rows })).toMatchObject({ marks: 3, problems: [] });
  expect(svg).toContain('data-at="rows.0.lift.revenue"');
});

it('draws moments where they are in time', () => {
  const moments = [
    '2021-01-01T00:00:00Z',
    '2024-11-17T00:00:00Z',
    '2024-11-25T00:00:00Z',
    '2026-01-01T00:00:00Z',
  ];
  const rows = moments.map((at, index) => ({ at, revenue: index + 1 }));
  const chart = line('rows', 'at', ['revenue'], { step: true });
  for (const width of [720, 320]) {
    const svg = svgOf(chart, { rows }, width);
    expect(readBack(svg, { rows })).toMatchObject({ marks: 4, problems: [] });
    const xs = [...svg.matchAll(/<circle[^>]*cx="([\d.]+)"/g)].map(([, x]) => Number(x));
    const [first = 0, last = 0] = [xs[0], xs.at(-1)];
    const times = moments.map((at) => Date.parse(at));
    const [from = 0, to = 0] = [times[0], times.at(-1)];
    for (const [index, x] of xs.entries())
      expect((x - first) / (last - first)).toBeCloseTo(((times[index] ?? 0) - from) / (to - from), 3);
    expect(last).toBeLessThan(width);
  }
});

describe('lines of values that lie far from zero', () => {
  const drawn = (...values: number[]) => {
    const periods = months(...values);
    const svg = svgOf(REVENUE, { periods });
    const { problems } = readBack(svg, { periods });
    expect(problems).toEqual([]);
    const heights = [...svg.matchAll(/<circle[^>]*cy="([\d.]+)"/g)].map(([, y]) => Number(y));
    return { said: textOf(parseXml(svg)), spread: Math.max(...heights) - Math.min(...heights) };
  };

  it('use the height, and say that the axis does not begin at zero', () => {
    const { said, spread } = drawn(97, 99, 98);
    expect(said).toContain('the axis does not begin at 0');
    expect(said).toContain('€97');
    expect(spread).toBeGreaterThan(60);
  });

  it('still look alike where they hardly differ', () => {
    expect(drawn(99.5, 99.6, 99.5).spread).toBeLessThan(10);
  });

  it.each([[[50, 99]], [[99, 99]], [[-98, 99]], [[0, 99]]])('begin at zero: %j', (values) => {
    expect(drawn(...values).said).not.toContain('does not begin');
  });
});

it('puts the newest value above or below its line, or nowhere, and never on it', () => {
  const store = { ...STORE, data_until: '2026-12-31T23:00:00Z' };
  const sides = { above: 0, below: 0, nowhere: 0 };
  for (let seed = 1; seed <= 150; seed += 1) {
    const values = Array.from(
      { length: 9 },
      (_, index) => ((seed * 7919 * (index + 3)) % 997) * (seed % 3 ? 1 : 1000),
    );
    const { svg } = drawFigure(figureOf(REVENUE, { periods: months(...values) }, { store }), { width: 400 });
    const points = [...svg.matchAll(/cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [
      Number(x),
      Number(y),
    ]);
    const [, x, y, said = ''] = /<text x="([\d.]+)" y="([\d.]+)" class="value"[^>]*>([^<]+)/.exec(svg) ?? [];
    if (x === undefined) {
      sides.nowhere += 1;
      continue;
    }
    const [middle, base] = [Number(x), Number(y)];
    sides[base < (points.at(-1)?.[1] ?? 0) ? 'above' : 'below'] += 1;
    const half = said.length * 3;
    for (let at = middle - half; at <= middle + half; at += 0.5) {
      const next = points.findIndex(([px = 0]) => px >= at);
      const [[x0 = 0, y0 = 0], [x1 = 0, y1 = 0]] = [points[next - 1] ?? [], points[next] ?? []];
      if (next < 1) continue;
      const height = y0 + ((at - x0) / (x1 - x0)) * (y1 - y0);
      expect(height < base - 9 || height > base + 1, `${values}: ${height} at ${at}, label at ${base}`).toBe(
        true,
      );
    }
  }
  expect(Math.min(sides.above, sides.below, sides.nowhere)).toBeGreaterThan(0);
});

it('copies numbers as the answer has them, and texts as no formula', () => {
  const rows = [
    { key: '=1+1', revenue: -1234.5 },
    { key: '+x', revenue: 2 },
    { key: '-x,"y"', revenue: null },
    { key: '\t@z', revenue: 0 },
  ];
  const csv = csvOf(figureOf(bars('rows', ['key'], ['revenue']), { rows })).split('\r\n');
  expect(csv.slice(-4)).toEqual([`'+x,2`, `'\t@z,0`, `'=1+1,-1234.5`, `"'-x,""y""",no orders`]);
});

it('says what a tool says of a chart beneath its first heading, and in the picture', () => {
  const chart = saying('Recorded visits only.', line('periods', 'period', ['revenue', 'rate']));
  const answer = { periods: months(1, 2).map((row) => ({ ...row, rate: 3 })) };
  expect(figureOf(chart, answer).panels.map(({ says }) => says.includes('Recorded visits only.'))).toEqual([
    true,
    false,
  ]);
  expect(textOf(parseXml(svgOf(chart, answer)))).toContain('Recorded visits only.');
});

it('draws the steps of several things to one scale', () => {
  const rows = [
    { key: 'large', most: 900, rate: 100 },
    { key: 'small', most: 10, rate: 5 },
  ];
  const answer = { rows };
  const svg = svgOf(funnel('rows', ['key'], ['most', 'rate']), answer);
  const lengths = [...elementsOf(parseXml(svg))]
    .map(([element]) => element)
    .filter(({ attribs }) => attribs.class?.startsWith('bar ') && 'data-value' in attribs)
    .map(({ attribs }) => Number(attribs.width) / Number(attribs['data-value']));
  expect(lengths).toHaveLength(4);
  for (const length of lengths) expect(length).toBeCloseTo(lengths[0] ?? 0, 2);
  expect(readBack(svg, answer)).toMatchObject({ marks: 4, problems: [] });
});

it('draws the same month at the same place in panels with a forecast and without', () => {
  const periods = months(10, 20, 5, 0).map((row) => ({ ...row, rate: row.revenue }));
  const ahead = [{ period: '2026-05', value: 15, low: 12, high: 18 }];
  const forecast = { refused_because: null, metrics: [{ metric: 'revenue', periods: ahead }] };
  const { panels, notes } = figureOf(line('periods', 'period', ['revenue', 'rate']), { periods, forecast });
  const [one, other] = panels.map((panel) => (panel as LinePanel).columns.map(({ label }) => label));
  expect(one).toHaveLength(5);
  expect(other).toEqual(one);
  expect((panels[1] as LinePanel).series[0]?.values.at(-1)).toBeNull();
  expect(notes.some((note) => note.includes('It does not know what you plan'))).toBe(true);
});

describe('rates that say little', () => {
  const fields = {
    'rows.rate': { unit: 'percent', of: 'sent' },
    'rows.sent': { unit: 'messages' },
    'periods.rate': { unit: 'percent', of: 'sent' },
    'periods.sent': { unit: 'messages' },
    'rows.conversion_rate': { unit: 'percent', of: 'reach' },
    'rows.reach': { unit: 'visitors' },
    'rows.share': { unit: 'percent' },
  };
  const drawn = (chart: Chart, answer: Json) => {
    const figure = figureOf(chart, answer, { fields });
    const { svg } = drawFigure(figure, { width: 720 });
    const marks = [...elementsOf(parseXml(svg))].map(([element]) => element.attribs);
    return {
      hollow: marks.filter((one) => one.class?.endsWith(' hollow')).map((one) => one['data-value']),
      isSaid: figure.notes.some((note) => note.startsWith('Hollow')),
    };
  };

  it.each([29, 30])('are hollow, bars and points alike: of %i', (sent) => {
    const isFew = sent < 30;
    const rows = [
      { key: 'a', rate: 25, sent },
      { key: 'b', rate: 4, sent: 900 },
    ];
    const hollow = isFew ? ['25'] : [];
    expect(drawn(bars('rows', ['key'], ['rate']), { rows })).toEqual({ hollow, isSaid: isFew });
    const periods = months(1, 2).map((row, index) => ({ ...row, ...rows[index] }));
    expect(drawn(line('periods', 'period', ['rate']), { periods })).toEqual({ hollow, isSaid: isFew });
  });

  it.each([4, 5])('are hollow where %i of many make them', (parts) => {
    const rows = [
      { key: 'a', rate: (100 * parts) / 9000, sent: 9000 },
      { key: 'b', rate: 0, sent: 9000 },
    ];
    const isFew = parts < 5;
    const { hollow, isSaid } = drawn(bars('rows', ['key'], ['rate']), { rows });
    expect([hollow.length, isSaid]).toEqual([isFew ? 1 : 0, isFew]);
  });

  it.each([39, 40])('are hollow where of 40 recorded visitors came %i orders', (unique_orders_count) => {
    const rows = [
      { key: 'a', conversion_rate: 90, reach: 40, unique_orders_count },
      { key: 'b', conversion_rate: 20, reach: 400, unique_orders_count: 90 },
    ];
    const isOfUnrecorded = unique_orders_count >= 40;
    expect(drawn(bars('rows', ['key'], ['conversion_rate']), { rows })).toEqual({
      hollow: isOfUnrecorded ? ['90'] : [],
      isSaid: isOfUnrecorded,
    });
  });

  it.each([29, 30])('are hollow cells, of %i that go out from a name', (outgoing) => {
    const rows = [
      { from: 'a', to: 'b', share: 80, count: 24 },
      { from: 'a', to: 'c', share: 20, count: outgoing - 24 },
      { from: 'b', to: 'c', share: 60, count: 60 },
      { from: 'b', to: 'b', share: 40, count: 40 },
    ];
    const isFew = outgoing < 30;
    expect(drawn(matrix('rows', 'from', 'to', 'share', { counts: 'count' }), { rows })).toEqual({
      hollow: isFew ? ['80', '20'] : [],
      isSaid: isFew,
    });
  });
});

describe('what a rate is of', () => {
  const rate = (of: string) => ({
    unit: 'percent',
    definition: 'A share.',
    null: 'nothing to divide by',
    of,
  });
  const fields: Record<string, DescribedField> = {
    'rows.visited': rate('reach'),
    'rows.reach': { unit: 'visitors' },
    'rows.clicked': rate('sent'),
    'rows.sent': { unit: 'messages' },
    'rows.share': rate('total_revenue'),
    'rows.total_revenue': { unit: 'money' },
    'rows.alone': { unit: 'percent', definition: 'A share.', null: 'nothing to divide by' },
  };
  const drawn = (key: string, row: Json) =>
    figureOf(bars('rows', ['id'], [key]), { rows: [{ id: 'a', ...row }] }, { fields }).panels[0] as BarPanel;
  const textIn = (panel: BarPanel) => panel.groups[0]?.values[0]?.text;

  it('is said in words, one of them too', () => {
    expect(textIn(drawn('clicked', { clicked: 100, sent: 1 }))).toBe('100\u00a0% of 1 message');
    expect(textIn(drawn('clicked', { clicked: 50, sent: 2 }))).toBe('50\u00a0% of 2 messages');
    expect(textIn(drawn('share', { share: 50, total_revenue: 20 }))).toBe('50\u00a0% of €20');
  });

  it.each([
    ['clicked', { sent: 0 }, 'no messages'],
    ['visited', { reach: 0 }, 'no visitors'],
    ['share', { total_revenue: 0 }, 'no total revenue'],
    // `fields` left it out, or it is not zero.
    ['clicked', {}, 'nothing to measure'],
    ['clicked', { sent: 5 }, 'nothing to measure'],
    ['alone', {}, 'nothing to measure'],
  ])('says of %s where it is missing beside %j: %s', (key, row, said) => {
    expect(textIn(drawn(key, { [key]: null, ...row }))).toBe(said);
  });

  it('says that not all visits are recorded, of rates of visits alone', () => {
    expect(drawn('visited', { visited: 100, reach: 30 }).says).toEqual([
      expect.stringMatching(/are not in the rate.*Where many are not recorded, the rate is too high\.$/),
    ]);
    expect(drawn('clicked', { clicked: 100, sent: 30 }).says).toEqual([]);
  });
});

it('says what hidden is where it shows it, and a sentence about several panels once', () => {
  const hidden = [{ id: 'a', is_hidden: true, revenue: null }];
  const saysOf = (rows: Json[]) =>
    figureOf(bars('rows', ['id'], ['revenue']), { rows }).panels[0]?.says.join();
  expect(saysOf(hidden)).toContain(
    '“hidden”, or dotted: 1 to 4 people, or more from whose number those few could be worked out. A 0 is a 0.',
  );
  expect(saysOf([{ id: 'a', is_hidden: true, revenue: 0 }])).not.toContain('hidden');
  const one = saying('Of both.', REVENUE);
  expect(
    figureOf([one, one], { periods: months(1, 2) }).panels.map(({ says }) => says.includes('Of both.')),
  ).toEqual([true, false]);
});

describe('at the ends of lines', () => {
  const chart = line('periods', 'period', ['revenue', 'rate'], { by: ['id'] });
  const periods = ['5 l', 'b', 'c'].flatMap((id, place) =>
    months(10, 11, 12).map((row) => ({ ...row, id, revenue: row.revenue ?? 0 + place, rate: place })),
  );
  const endsIn = (svg: string) =>
    [...elementsOf(parseXml(svg))]
      .map(([element]) => element)
      .filter(({ name, attribs }) => name === 'text' && attribs.class?.startsWith('end '));

  // The third month is not over.
  it('stand their names and last numbers, below each other however close they end', () => {
    const svg = svgOf(chart, { periods });
    const ends = endsIn(svg);
    expect(ends.map(textOf).sort()).toEqual([
      '5 l 0\u00a0% so far',
      '5 l €12 so far',
      'b 1\u00a0% so far',
      'b €12 so far',
      'c 2\u00a0% so far',
      'c €12 so far',
    ]);
    const ys = ends.slice(0, 3).map(({ attribs }) => Number(attribs.y));
    expect(ys.slice(1).every((y, index) => y - (ys[index] ?? 0) >= 13.9)).toBe(true);
    expect(readBack(svg, { periods }).problems).toEqual([]);
    const wrong = svg.replaceAll('>€12</tspan>', '>€13</tspan>');
    expect(readBack(wrong, { periods }).problems).toHaveLength(3);
  });

  it('is as much room in each panel, so that the same month is at the same place', () => {
    const svg = svgOf(chart, { periods: periods.map((row) => ({ ...row, revenue: 1_000_000 })) });
    const [revenue, rate] = ['revenue', 'rate'].map((key) =>
      [...svg.matchAll(new RegExp(`cx="([^"]+)"[^>]* data-at="periods.\\d+.${key}"`, 'g'))].map(([, x]) => x),
    );
    expect(revenue).toHaveLength(9);
    expect(rate).toEqual(revenue);
  });

  it('is none where the picture is narrow: a legend names the lines', () => {
    const svg = svgOf(chart, { periods }, 320);
    expect(endsIn(svg)).toEqual([]);
    expect(textOf(parseXml(svg))).toContain('5 l');
  });
});

it('draws those rows alone that a line is of', () => {
  const periods = ['lost', 'new', 'loyal'].flatMap((id) => months(1, 2).map((row) => ({ ...row, id })));
  const linesOf = (only: Parameters<typeof line>[3]) =>
    panelOf(figureOf(line('periods', 'period', ['revenue'], only), { periods })).series.map(
      ({ name }) => name,
    );
  expect(linesOf({ by: ['id'], only: { key: 'id', isIn: ['lost'] } })).toEqual(['lost']);
  expect(linesOf({ by: ['id'], only: { key: 'id', isNotIn: ['lost'] } })).toEqual(['new', 'loyal']);
});

it('says until when a line goes, and which periods a forecast is of', () => {
  const ahead = ['2026-05', '2026-06'].map((period) => ({ period, value: 15, low: 12, high: 90 }));
  const forecast = { refused_because: null, metrics: [{ metric: 'revenue', periods: ahead }] };
  const figure = figureOf(
    REVENUE,
    { periods: months(10, 20, 30, 40), forecast },
    { store: { ...STORE, data_until: '2026-05-01T00:00:00Z' } },
  );
  const { svg } = drawFigure(figure, { width: 720 });
  const axis = [...svg.matchAll(/class="axis"[^>]*>([^<]+)</g)].map(([, said]) => said);
  expect(axis).toContain('Jan 2026');
  expect(axis).toContain('Jun 2026');
  expect(axis).toContain('upper end of the forecast');
  expect(figure.notes.join()).toContain('what to expect of May 2026 – Jun 2026;');
  expect(endsWith(svg, '€15 expected (Jun 2026)')).toBe(true);
});

function endsWith(svg: string, said: string): boolean {
  return [...elementsOf(parseXml(svg))].some(
    ([element]) => element.attribs.class?.startsWith('end ') === true && textOf(element) === said,
  );
}

it('leaves the sign of rates to the heading where cells are narrow, rounded as far as nobody is misled', () => {
  const names = Array.from({ length: 20 }, (_, index) => `n${index}`);
  const rows = names.map((to, index) => ({ from: 'a', to, rate: index === 0 ? 12.3456 : 0.1234 }));
  const fields = { 'rows.rate': { unit: 'percent', definition: 'A share.' } };
  const told = (given: Json[]) => {
    const { svg } = drawFigure(figureOf(matrix('rows', 'from', 'to', 'rate'), { rows: given }, { fields }), {
      width: 720,
    });
    expect(readBack(svg, { rows: given }).problems).toEqual([]);
    return [...new Set([...svg.matchAll(/class="told[^>]*>([^<]+)</g)].map(([, said]) => said))];
  };
  expect(told(rows)).toEqual(['12.3', '0.12']);
  // 0.0012 is no 0: the shades alone tell.
  expect(told(rows.map((row) => ({ ...row, rate: row.rate / 100 })))).toEqual([]);
});

it('says how many a cohort is of, and draws one of two intervals that say the same', () => {
  const chart = cohorts('rows', ['key'], 'windows', {
    across: 'index',
    value: 'rate',
    complete: 'whole',
    size: 'people',
  });
  const rows = [{ key: 'a', people: 157, windows: [{ index: 0, rate: 3, whole: true }] }];
  const svg = svgOf(chart, { rows });
  expect(svg).toContain('<tspan data-label="rows.0.people"> (157)</tspan>');
  expect(tablesHtml(figureOf(chart, { rows }))).toContain('a (157)');
  const tests = [
    { key: 'A', difference: -2, low: -3, high: -1 },
    { key: 'B', difference: 2, low: 1, high: 3 },
    { key: 'C', difference: 0, low: -1, high: 1 },
  ];
  const labels = (count: number) => {
    const of = interval('rows', ['key'], {
      value: 'difference',
      low: 'low',
      high: 'high',
      reference: 0,
      isMutual: true,
    });
    const [panel] = figureOf(of, { rows: tests.slice(0, count) }).panels;
    return panel?.kind === 'interval' ? panel.groups.map(({ label }) => label) : [];
  };
  expect(labels(2)).toEqual(['B against A']);
  expect(labels(3)).toEqual(['B', 'C', 'A'].map((name) => `${name} against the best other`));
});

it('hatches no rate of those alone whose time is over', () => {
  const [old, all] = ['mature_rate', 'rate'].map((key) => {
    const rows = [{ days: 30, is_mature: false, [key]: 5 }];
    return (figureOf(bars('rows', ['days'], [key]), { rows }).panels[0] as BarPanel).groups[0]?.isIncomplete;
  });
  expect([old, all]).toEqual([false, true]);
});

describe('the scale of bars', () => {
  const fields = {
    'rows.rate': { unit: 'percent', definition: 'bought / seen.', of: 'seen' },
    'rows.seen': { unit: 'messages' },
    'rows.complaints': { unit: 'messages' },
    'rows.revenue': { unit: 'money' },
  };
  const rows = [
    { id: 'a', rate: 5, seen: 900, complaints: 0, revenue: 40 },
    { id: 'b', rate: 4, seen: 800, complaints: 1, revenue: 20 },
    { id: 'c', rate: 95, seen: 20, complaints: 0, revenue: 2 },
  ];
  const drawn = (chart: Chart, given: readonly Json[] = rows) => {
    const figure = figureOf(chart, { rows: given }, { fields });
    const { svg } = drawFigure(figure, { width: 720 });
    const bars = [...elementsOf(parseXml(svg))]
      .map(([{ attribs }]) => attribs)
      .filter((one) => one.class?.startsWith('bar ') && one['data-at'] !== undefined);
    const [, from = 0, start = 0, to = 0, end = 0] = (
      /data-scale="(\S+) (\S+) (\S+) (\S+)"/.exec(svg) ?? []
    ).map(Number);
    const partOf = (value: string) => {
      const width = Number(bars.find((one) => one['data-value'] === value)?.width);
      return width / (end - start);
    };
    return { svg, bars, figure, from, to, partOf };
  };

  it('is set by rates that can be relied on: one of few is cut off, and its number stands beside it', () => {
    const { svg, bars: all, figure, to, partOf } = drawn(bars('rows', ['id'], ['rate']));
    expect(to).toBe(5);
    expect([partOf('5'), partOf('4'), partOf('95')]).toEqual([
      expect.closeTo(1, 3),
      expect.closeTo(0.8, 3),
      expect.closeTo(1, 3),
    ]);
    expect(all.filter((one) => one['data-cut']).map((one) => one['data-value'])).toEqual(['95']);
    expect(textOf(parseXml(svg))).toContain('95\u00a0% of 20 messages');
    expect(figure.notes.some((note) => note.startsWith('Cut off: a hollow bar'))).toBe(true);
    expect(readBack(svg, { rows }).problems).toEqual([]);
    // A bar that is cut off for no reason is found out.
    const wrong = svg.replace('data-value="4"', 'data-value="4" data-cut="1"');
    expect(readBack(wrong, { rows }).problems).toEqual(['rows.1.rate is cut off for no reason']);
  });

  it('holds what is of few where nothing else has a length, and then cuts nothing off', () => {
    const few = rows.map((row) => ({ ...row, seen: 9 }));
    const { to, figure, bars: all } = drawn(bars('rows', ['id'], ['rate']), few);
    expect(to).toBe(95);
    expect(all.filter((one) => one['data-cut'])).toEqual([]);
    expect(figure.notes.some((note) => note.startsWith('Cut off'))).toBe(false);
  });

  it('ends at thirty of what is counted: one complaint is a short bar, and money fills the width', () => {
    expect(drawn(bars('rows', ['id'], ['complaints'])).partOf('1')).toBeCloseTo(1 / 30, 2);
    expect(drawn(bars('rows', ['id'], ['revenue'])).partOf('40')).toBeCloseTo(1, 3);
    const many = rows.map((row) => ({ ...row, complaints: row.rate * 10 }));
    expect(drawn(bars('rows', ['id'], ['complaints']), many).partOf('950')).toBeCloseTo(1, 3);
  });

  it('is below bars that stand in one order in all pictures of a list that was sorted by another number', () => {
    const both = [bars('periods', ['id'], ['revenue']), bars('periods', ['id'], ['rate'])];
    const periods = rows.map((row) => ({ ...row }));
    const of = {
      'periods.rate': fields['rows.rate'],
      'periods.seen': fields['rows.seen'],
      'periods.revenue': fields['rows.revenue'],
    };
    const sort = { sort_by: 'seen', sort_order: 'desc' };
    const { panels } = figureOf(both, { periods: [...periods].reverse() }, { fields: of, sort });
    const names = panels.map((panel) => panel.kind === 'bars' && panel.groups.map(({ label }) => label));
    expect(names).toEqual([
      ['c', 'b', 'a'],
      ['c', 'b', 'a'],
    ]);
    expect(panels.map(({ heading }) => heading)).toEqual([
      expect.stringMatching(/ by id, only the first by seen$/),
      expect.stringMatching(/ by id, only the first by seen$/),
    ]);
  });
});

describe('what goes on by itself', () => {
  const stops = { silent: 'is_silent', state: 'state', since: 'last_sent_at' };
  const rows = [
    {
      name: 'Welcome',
      state: 'active',
      is_silent: false,
      last_sent_at: '2026-03-14T10:00:00Z',
      revenue: 9,
      sent: 90,
    },
    {
      name: 'Basket',
      state: 'active',
      is_silent: true,
      last_sent_at: '2026-02-16T10:00:00Z',
      revenue: 2,
      sent: 80,
    },
    {
      name: 'Birthday',
      state: 'paused',
      is_silent: false,
      last_sent_at: '2026-01-31T23:30:00Z',
      revenue: 1,
      sent: 70,
    },
    { name: 'Never', state: 'active', is_silent: true, last_sent_at: null, revenue: 0, sent: 0 },
  ];
  const charts = [
    goingOn(funnel('rows', ['name'], ['sent', 'revenue']), stops),
    goingOn(bars('rows', ['name'], ['revenue']), stops),
  ];
  const states = ['nothing sent since 16 Feb 2026', 'paused, last sent 1 Feb 2026', 'nothing sent yet'];

  it('is seen to have stopped, in the picture, in its table and where one points', () => {
    const figure = figureOf(charts, { rows });
    expect(figure.panels.map(({ heading }) => heading)).toEqual(['Sent → Revenue', 'Revenue (EUR)']);
    for (const panel of figure.panels)
      expect(panel.kind === 'bars' && panel.groups.map(({ label, state }) => [label, state])).toEqual([
        ['Welcome', undefined],
        ['Basket', states[0]],
        ['Birthday', states[1]],
        ['Never', states[2]],
      ]);
    for (const width of [900, 320]) {
      const { svg, spots } = drawFigure(figure, { width });
      expect(readBack(svg, { rows }).problems).toEqual([]);
      for (const state of states) expect(textOf(parseXml(svg))).toContain(`(${state})`);
      expect(spots.some(({ lines }) => lines()[0] === `Basket (${states[0]})`)).toBe(true);
    }
    expect(tablesHtml(figure)).toContain(`Basket (${states[0]})`);
    expect(csvOf(figure)).toContain(`Basket (${states[0]})`);
  });

  it('says once what to make of one that fell silent, and nothing where none did', () => {
    const saysOf = (given: readonly Json[]) =>
      figureOf(charts, { rows: given }).panels.flatMap(({ says }) => says);
    const isAboutSilence = (said: unknown) => String(said).startsWith('Nothing sent since:');
    expect(saysOf(rows).filter(isAboutSilence)).toHaveLength(1);
    expect(saysOf([rows[0], rows[2]] as Json[]).filter(isAboutSilence)).toEqual([]);
  });
});

describe('words of a chart', () => {
  const fields = {
    'rows.lost_revenue': { unit: 'money', definition: 'By removal_effect.', revenue: 'credited' as const },
  };
  const chart = calling(
    { lost_revenue: { name: 'Shared out', means: 'by what would be lost.' } },
    bars('rows', ['channel'], ['lost_revenue']),
    { '(exit)': 'No order' },
  );
  const rows = [
    { channel: 'Direct', lost_revenue: 5 },
    { channel: '(exit)', lost_revenue: 3 },
  ];

  it('stand in place of those of its keys, its definition and of texts of ours', () => {
    const panel = barsOf(figureOf(chart, { rows }, { fields }));
    expect(panel.heading).toBe('Shared out (EUR) by channel');
    expect(panel.groups.map(({ label }) => label)).toEqual(['Direct', 'No order']);
    expect(panel.says[0]).toBe('Shared out: by what would be lost.');
  });

  it.each([
    [
      { attribution_click_window_h: 168, attribution_open_window_h: 24 },
      /7 days before the order, or opened in the 24 hours.* without a click\.$/,
    ],
    [
      { attribution_click_window_h: 48, attribution_open_window_h: 0 },
      /clicked in the 2 days before the order\.$/,
    ],
    [{}, /credited by a rule\.$/],
  ])('end with the rule of crediting that the answer tells: %j', (windows, said) => {
    const { says } = barsOf(figureOf(chart, { rows, ...windows }, { fields }));
    expect(says.at(-1)).toMatch(said);
  });
});

describe('the end of the days', () => {
  const args = { from_date: '2026-01-01T00:00:00', to_date: '2026-04-30T23:59:59' };

  it('is that of what is loaded, in the title and in the note on whole periods', () => {
    const figure = figureOf(REVENUE, { periods: months(10, 20, 5, 0) }, { args });
    expect(figure.subtitle).toContain('1 Jan 2026 – 15 Mar 2026');
    expect(figure.notes.join()).not.toMatch(/whole periods|Apr/);
  });

  it('is the one asked for where nothing is loaded of these days, or all is', () => {
    const later = { from_date: '2026-05-01T00:00:00', to_date: '2026-06-30T23:59:59' };
    const subtitleOf = (asked: Json) => figureOf(REVENUE, { periods: months(1) }, { args: asked }).subtitle;
    expect(subtitleOf(later)).toContain('1 May 2026 – 30 Jun 2026');
    expect(subtitleOf({ ...args, to_date: '2026-02-28T23:59:59' })).toContain('1 Jan 2026 – 28 Feb 2026');
  });

  it('says of a number that is not of a whole period that it is so far, and of the last whole one when it is', () => {
    const { svg } = drawFigure(figureOf(REVENUE, { periods: months(10, 20, 5) }), { width: 720 });
    const said = textOf(parseXml(svg));
    expect(said).toContain('€5 so far');
    const whole = drawFigure(
      figureOf(
        REVENUE,
        { periods: months(10, 30, 20, 5) },
        {
          store: { ...STORE, data_until: '2026-04-15T10:00:00Z' },
        },
      ),
      { width: 720 },
    ).svg;
    expect(textOf(parseXml(whole))).toContain('€20 (Mar 2026)');
    expect(readBack(whole, { periods: months(10, 30, 20, 5) }).problems).toEqual([]);
  });

  it('warns where a period that is not over stands beside a whole one', () => {
    const before = { periods: months(10, 20, 30).map((row) => ({ ...row, ...yearBefore(row) })) };
    const notesOf = (...values: number[]) =>
      figureOf(
        REVENUE,
        { periods: months(...values) },
        { compared: { args: {}, answer: before } },
      ).notes.join();
    expect(notesOf(10, 20, 5)).toContain('do not compare these two');
    expect(notesOf(10, 20)).not.toContain('do not compare these two');
  });

  it('a forecast ends with its likely bounds in numbers', () => {
    const forecast = {
      metrics: [{ metric: 'revenue', periods: [{ period: '2026-03', value: 15, low: 12, high: 21 }] }],
    };
    const answer = { periods: months(10, 20), forecast };
    const figure = figureOf(REVENUE, answer, { store: { ...STORE, data_until: '2026-02-28T23:59:59Z' } });
    const { svg } = drawFigure(figure, { width: 720 });
    const ends = [...elementsOf(parseXml(svg))]
      .map(([element]) => element)
      .filter(({ name, attribs }) => name === 'text' && attribs.class?.startsWith('end '))
      .map(textOf);
    expect(ends).toEqual(['likely at most €21', '€15 expected (Mar 2026)', 'likely at least €12']);
    expect(readBack(svg, answer).problems).toEqual([]);
  });
});
