import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { RESOURCE_LIMIT, tokens } from '../../scripts/token-costs.ts';
import { DEFAULT_WINDOWS } from '../../src/business/attribution-windows.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { CAMPAIGN_CATEGORIES } from '../../src/domains/messages/definitions/campaign-categories.ts';
import { SMS_PARTS } from '../../src/domains/messages/definitions/sms-parts.ts';
import { CONDITIONS } from '../../src/domains/segments/definitions/conditions.ts';
import { parseSegmentQuery } from '../../src/domains/segments/definitions/parse.ts';
import { CHANNELS } from '../../src/domains/traffic/definitions/channels.ts';
import { RESOURCES } from '../../src/resources/all-resources.ts';
import { CAMPAIGN_TYPES } from '../../src/store/campaign-kinds.ts';

const textOf = (uri: string) => RESOURCES.find((resource) => resource.uri === uri)?.text ?? '';
/** Rows of the table whose first column is a key. */
const rowsOf = (uri: string) =>
  [...textOf(uri).matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, key = '', cells = '']) => ({
    key,
    cells: cells.split(' | '),
  }));

it('are those of the contract, and the fifth', () => {
  expect(RESOURCES.map(({ uri }) => uri)).toEqual([
    'analytics://metrics',
    'analytics://comparisons',
    'analytics://campaign-categories',
    'segmentation://conditions',
    'analytics://rfm-segments',
  ]);
});

/** The words of closed lists that a condition takes anywhere in it, and where nothing else is taken. */
function choicesIn(schema: object): string[] {
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === 'enum' && Array.isArray(value)) return value.filter((one) => typeof one === 'string');
    return typeof value === 'object' && value !== null ? choicesIn(value) : [];
  });
}

it.each(Object.entries(CONDITIONS))(
  'the condition %s names every word of its closed lists',
  (type, condition) => {
    const row = rowsOf('segmentation://conditions').find(({ key }) => key === type);
    const text = row?.cells.join(' ') ?? '';
    const choices = choicesIn(z.toJSONSchema(condition, { io: 'input', unrepresentable: 'any' }));
    for (const choice of [...choices, ...(type === 'campaign' ? CAMPAIGN_TYPES : [])])
      expect(text.split(/[^a-z_-]+/), choice).toContain(choice);
  },
);

describe.each(RESOURCES.map((resource) => [resource.uri, resource] as const))('%s', (_uri, resource) => {
  const { text } = resource;

  it('has no more tokens than a resource may', () => {
    expect(tokens(text)).toBeLessThanOrEqual(RESOURCE_LIMIT);
  });

  it('is Markdown of sections whose headings differ, each with text', () => {
    const [title, ...sections] = text.split(/^## /m);
    expect(title).toMatch(/^# \S.*\n\n$/);
    expect(sections.length).toBeGreaterThan(2);
    const headings = sections.map((section) => section.split('\n')[0]);
    expect(new Set(headings).size).toBe(headings.length);
    for (const section of sections) expect(section.trim().split('\n').length).toBeGreaterThan(1);
    expect(text.split('```').length % 2).toBe(1);
    expect(text).not.toMatch(/undefined|null,|NaN|\[object/);
  });

  it('names only tools and resources that there are', () => {
    const tools = CATALOGUE.map(({ name }) => name);
    // Names are shortened in the blocks of definitions, which another test reads.
    const prose = text.replace(/```.*?```/gs, '');
    const named = prose.match(
      /\b(?:list|get)_[a-z_]+\b|\b[a-z_]+_statistics(?:_trend)?\b|\bestimate_[a-z_]+/g,
    );
    for (const name of named ?? []) expect(tools).toContain(name);
    const uris = RESOURCES.map(({ uri }) => uri);
    for (const uri of text.match(/(?:analytics|segmentation):\/\/[a-z-]+/g) ?? [])
      expect(uris).toContain(uri);
  });

  it('says when to read it, in few words', () => {
    expect(resource.title).toMatch(/^[A-Z]/);
    expect(resource.description).toMatch(/Read it before /);
    expect(resource.description.length).toBeLessThanOrEqual(300);
  });
});

describe('analytics://metrics', () => {
  const text = textOf('analytics://metrics');

  it('has the numbers by which parts of SMS and credit are counted', () => {
    const { gsm7, ucs2 } = SMS_PARTS;
    expect([gsm7.single, gsm7.each, ucs2.single, ucs2.each]).toEqual([160, 153, 70, 67]);
    expect(text).toContain(
      'GSM-7 160 characters, 153 per part of several; any other character makes it UCS-2: 70, 67',
    );
    const { click, open, delivery } = DEFAULT_WINDOWS;
    expect(text).toContain(`default ${click} h, ${open} h, ${delivery} h`);
  });

  it('tells the basis of every topic', () => {
    for (const section of text.split('## Numbers: ').slice(1))
      expect(section).toMatch(/^.*\nBasis: .+\.\n```\n\[/);
  });
});

it('analytics://comparisons has the thresholds, and the channels in the order of their rules', () => {
  const text = textOf('analytics://comparisons');
  for (const rule of ['bounce_rate >= 5', 'spam_complaint_rate >= 0.3', '>= 2, >= 0.1', 'under 200 sent']) {
    expect(text).toContain(rule);
  }
  expect(text).toContain('under 500 delivered e-mails or 200 SMS');
  expect(text).toContain(CHANNELS.join(', '));
});

it('analytics://campaign-categories has every category, with types that exist', () => {
  const rows = rowsOf('analytics://campaign-categories');
  expect(rows.map(({ key }) => key)).toEqual(CAMPAIGN_CATEGORIES.map(({ key }) => key));
  for (const { cells } of rows) {
    expect(cells).toHaveLength(5);
    for (const type of cells[1]?.split(', ') ?? []) expect(CAMPAIGN_TYPES).toContain(type);
    for (const cell of cells) expect(cell).not.toBe('');
  }
});

describe('segmentation://conditions', () => {
  const text = textOf('segmentation://conditions');

  it('has every condition, with exactly the operators that are read', () => {
    const rows = rowsOf('segmentation://conditions');
    expect(rows.map(({ key }) => key)).toEqual(Object.keys(CONDITIONS));
    for (const { key, cells } of rows) {
      const read = (operator: string) =>
        parseSegmentQuery({ segments: [{ targetingBlocks: [{ type: key, operator }] }] }).problems;
      for (const operator of cells[0]?.split(', ') ?? []) {
        expect(read(operator).join(), `${key} ${operator}`).not.toContain('.operator: unknown value');
      }
      expect(read('no_such_operator').join()).toContain('.operator: unknown value');
    }
  });

  it('has examples that are read without a problem, and their reading', () => {
    const queries = [...text.matchAll(/^`(\{"segments":\[\{.*\})`$/gm)].map(([, query = '']) =>
      JSON.parse(query),
    );
    expect(queries).toHaveLength(3);
    for (const query of queries) expect(parseSegmentQuery(query).problems).toEqual([]);
    expect(text.match(/^- Group 1: /gm)).toHaveLength(3);
    expect(text).not.toMatch(/no longer exists|not evaluable:/);
  });

  it('says who is left out by rule', () => {
    for (const rule of ['Suppressed profiles', 'without consent', 'frequency cap'])
      expect(text).toContain(rule);
  });
});

describe('analytics://rfm-segments', () => {
  const rows = rowsOf('analytics://rfm-segments');
  const numbers = (cell = '') => (cell === '–' ? [] : cell.split(', ').map(Number));

  it('has a segment for each pair of scores, and only one', () => {
    for (const recency of [1, 2, 3, 4, 5]) {
      for (const frequency of [1, 2, 3, 4, 5]) {
        const fitting = rows.filter(
          ({ cells }) => numbers(cells[1]).includes(recency) && numbers(cells[2]).includes(frequency),
        );
        expect(fitting, `R ${recency}, F ${frequency}`).toHaveLength(1);
      }
    }
    expect(rows.map(({ cells }) => Number(cells[3]))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('has the map of the specification', () => {
    const cells = (key: string) => rows.find((row) => row.key === key)?.cells.slice(1, 3);
    expect(cells('champions')).toEqual(['5', '4, 5']);
    expect(cells('cant_lose')).toEqual(['1, 2', '5']);
    expect(cells('lost')).toEqual(['–', '–']);
  });

  it('has the default thresholds as ranges without gaps', () => {
    const text = textOf('analytics://rfm-segments');
    expect(text).toContain('| over 365 | 181–365 | 91–180 | 31–90 | 0–30 |');
    expect(text).toContain('| below 2 | 2 | 3–4 | 5–7 | 8 or more |');
  });
});
