import { describe, expect, it } from 'vitest';
import {
  bars,
  type Chart,
  cohorts,
  funnel,
  grid,
  heat,
  interval,
  line,
  matrix,
} from '../../src/answers/chart.ts';
import type { DescribedCharts, DescribedField } from '../../src/charts/described-chart.ts';
import { drawFigure } from '../../src/charts/draw/draw-figure.ts';
import { drawFile } from '../../src/charts/draw/draw-file.ts';
import type { LinePanel } from '../../src/charts/figure.ts';
import { readFigure } from '../../src/charts/read-figure.ts';
import { localeOf, type Store } from '../../src/charts/store.ts';
import { csvOf, tablesHtml } from '../../src/charts/table.ts';
import { readBack } from './read-back.ts';
import { elementsOf, parseXml, textOf } from './xml.ts';

const STORE: Store = {
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
  more: { args?: Json; compared?: { args: Json; answer: Json }; store?: Store } = {},
) {
  const described: DescribedCharts = {
    tool: 'a_tool',
    title: 'A tool',
    list: 'periods',
    identity: ['period', 'period_start', 'id'],
    keys: [],
    rowKeys: [],
    charts: [chart].flat() as Chart[],
    fields: FIELDS,
  };
  return readFigure({ described, args: {}, answer, store: STORE, ...more });
}

const months = (...values: (number | null)[]) =>
  values.map((revenue, index) => {
    const period = `2026-${String(index + 1).padStart(2, '0')}`;
    return { period, period_start: `${period}-01`, revenue };
  });

const REVENUE = line('periods', 'period', ['revenue']);

function svgOf(chart: Chart | readonly Chart[], answer: Json, width = 720): string {
  return drawFigure(figureOf(chart, answer), { width }).svg;
}

const panelOf = (figure: ReturnType<typeof figureOf>) => figure.panels[0] as LinePanel;

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
      { id: 'a', name: 'Shirt', revenue: 1, rate: 1, most: 2 },
      { id: 'b', name: 'Shirt', revenue: 2, rate: 1, most: 2 },
      { id: 'c', revenue: 2, rate: 1, most: 2 },
    ];
    const named = ['Shirt (a)', 'Shirt (b)', 'c'];
    const [drawn] = figureOf(bars('periods', ['name'], ['revenue']), { periods }).panels;
    expect(drawn).toMatchObject({ groups: named.map((label) => ({ label })) });
    const steps = figureOf(funnel('periods', ['name'], ['most', 'rate']), { periods }).panels;
    expect(steps.map(({ heading }) => heading)).toEqual(named);
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
    expect(readBack(svg, answer, {}, '.').problems).toEqual([]);
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
    expect(readBack(svg, { periods: months(10, 20) }, before, '.').problems).toEqual([]);
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

  it('writes money and rates as the country of the store does', () => {
    expect([localeOf('CZ'), localeOf('DE'), localeOf('JP'), localeOf(null)]).toEqual([
      'cs-CZ',
      'de-DE',
      'ja-JP',
      'en-GB',
    ]);
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
        expect(readBack(svg, answer, {}, '.')).toMatchObject({ marks: values.length, problems: [] });
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
    expect(panelOf(figure).series).toHaveLength(12);
    expect(figure.notes).toContain('Only 12 of 40 are drawn.');
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
    const all = { periods, total_count: 1500 };
    expect(notesOf(bars('periods', ['id'], ['revenue']), all)).toEqual(['Only 24 of 1,500 are drawn.']);
    expect(notesOf(bars('periods', ['id'], ['revenue']), { periods })).toEqual(['Only 24 of 30 are drawn.']);
    // Of another list the count says nothing.
    expect(notesOf(bars('rows', ['id'], ['revenue']), { rows: ten.periods, total_count: 500 })).toEqual([]);
  });
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
    cohorts('rows', ['key'], 'periods', { across: 'index', value: 'rate', complete: 'whole' }),
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

it('copies numbers as the answer has them, and texts as no formula', () => {
  const rows = [
    { key: '=1+1', revenue: -1234.5 },
    { key: '+x', revenue: 2 },
    { key: '-x,"y"', revenue: null },
    { key: '\t@z', revenue: 0 },
  ];
  const csv = csvOf(figureOf(bars('rows', ['key'], ['revenue']), { rows })).split('\r\n');
  expect(csv.slice(-4)).toEqual([`'=1+1,-1234.5`, `'+x,2`, `"'-x,""y""",no orders`, `'\t@z,0`]);
});
