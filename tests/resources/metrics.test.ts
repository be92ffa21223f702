import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CATALOGUE } from '../../src/catalogue.ts';
import { RESOURCES } from '../../src/resources/all-resources.ts';
import type { Tool } from '../../src/tools/tool.ts';

/** A number as the JSON Schema of an answer has it. */
interface Field {
  readonly tool: string;
  readonly name: string;
  /** The list or object that it stands in; empty: the answer itself. */
  readonly place: string;
  readonly isNullable: boolean;
  readonly definition: string;
  readonly unit: string | undefined;
}

/** A number as a resource explains it. */
interface Explained {
  readonly name: string;
  /** Null: wherever it stands. */
  readonly places: readonly string[] | null;
  readonly isNullable: boolean;
  readonly definition: string;
  readonly unit: string | undefined;
}

type Schema = z.core.JSONSchema.BaseSchema;

function fieldsOf(tool: Tool): Field[] {
  const walk = (schema: Schema, path: readonly string[], isNullable: boolean, description = ''): Field[] => {
    const said = schema.description ?? description;
    const types = [schema.type].flat();
    if (types.includes('integer') || types.includes('number')) {
      const [, definition = '', unit] = /^(.*?)\.?(?: \[([^\]]+)\])?$/s.exec(said) ?? [];
      const [place = '', name = ''] = ['', ...path].slice(-2);
      return [
        { tool: tool.name, name, place, isNullable: isNullable || types.includes('null'), definition, unit },
      ];
    }
    if (schema.anyOf !== undefined) {
      const hasNull = schema.anyOf.some((one) => (one as Schema).type === 'null');
      return schema.anyOf.flatMap((one) => walk(one as Schema, path, isNullable || hasNull, said));
    }
    if (types.includes('array')) return walk(schema.items as Schema, path, isNullable, said);
    return Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
      walk(field as Schema, [...path, name], false),
    );
  };
  return walk(z.toJSONSchema(tool.output, { io: 'output', reused: 'inline' }) as Schema, [], false);
}

const FIELDS = CATALOGUE.flatMap(fieldsOf);

/** `email_{channel_, link_}, order_+` as tools. */
function toolsOf(heading: string): string[] {
  const many = /^(\d+) tools$/.exec(heading);
  if (many !== null) {
    const tools = CATALOGUE.filter(({ output }) => 'total_count' in output.shape).map(({ name }) => name);
    expect(tools.length).toBe(Number(many[1]));
    return tools;
  }
  const names = heading
    .replace(/(\w+)\{([^}]*)\}/g, (_, start, ends) =>
      String(ends)
        .split(', ')
        .map((end) => `${start}${end}`)
        .join(', '),
    )
    .split(', ');
  return names.flatMap((name) => {
    const [whole = '', part] = name.split('.');
    if (part !== undefined) return toolsOf(whole).map((tool) => `${tool}.${part}`);
    if (name.endsWith('_+'))
      return [`${name.slice(0, -1)}statistics`, `${name.slice(0, -1)}statistics_trend`];
    if (name.endsWith('_')) return [`${name}statistics`];
    if (name.endsWith('_trend')) return [name.replace(/trend$/, 'statistics_trend')];
    return [name];
  });
}

function explainedIn(text: string): Map<string, Explained[]> {
  const explained = new Map<string, Explained[]>();
  for (const [, block = ''] of text.matchAll(/```\n(.*?)```/gs)) {
    let tools: string[] = [];
    for (const line of block.trim().split('\n')) {
      const heading = /^\[(.*)\]$/.exec(line)?.[1];
      if (heading !== undefined) {
        tools = toolsOf(heading);
        continue;
      }
      const [, labels = '', definition = '', unit] = /^([^:]+): (.*?)(?: \[([^\]]+)\])?$/.exec(line) ?? [];
      for (const label of labels.split(', ')) {
        const [name = '', places] = label.replace('?', '').split('.').reverse();
        const entry = {
          ...{ name, places: places?.split('/') ?? null, isNullable: label.endsWith('?') },
          ...{ definition, unit },
        };
        for (const answer of tools) {
          const [tool = '', part] = answer.split('.');
          const own = part === undefined ? entry : { ...entry, places: [part] };
          explained.set(tool, [...(explained.get(tool) ?? []), own]);
        }
      }
    }
  }
  return explained;
}

const EXPLAINED = explainedIn(RESOURCES.map(({ text }) => text).join('\n'));
const METRICS = RESOURCES.find(({ uri }) => uri === 'analytics://metrics')?.text ?? '';

/** What explains the field: what is about its place, else what is about all places. */
function explanationsOf({ tool, name, place }: Field): Explained[] {
  const named = (EXPLAINED.get(tool) ?? []).filter((entry) => entry.name === name);
  const ofPlace = named.filter(({ places }) => places?.includes(place));
  return ofPlace.length > 0 ? ofPlace : named.filter(({ places }) => places === null);
}

/** `[names, unit]` out of the sentence about units. */
const UNITS = (/^- Units: (.*)$/m.exec(METRICS)?.[1] ?? '').split('; ').map((part) => ({
  names: [...part.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
  unit: part.replace(/.*` /, ''),
}));
const TIMES = ['days', 'seconds', 'minutes', 'hours'];

/** What a reader takes from the name. */
function unitByName(name: string): string | undefined {
  return UNITS.find(({ names }) =>
    names.some((part) => (part.startsWith('_') ? `_${name}`.endsWith(part) : name.includes(part))),
  )?.unit;
}

describe.each(CATALOGUE.map(({ name }) => name))('every number of %s', (tool) => {
  const fields = FIELDS.filter((field) => field.tool === tool);

  it('is explained once, with its definition, and whether it can be null', () => {
    for (const field of fields) {
      const found = explanationsOf(field);
      expect(found, `${tool} ${field.place}.${field.name}`).toHaveLength(1);
      expect(found[0]).toMatchObject({
        definition: field.definition.replaceAll('_count', ''),
        isNullable: field.isNullable,
      });
    }
  });

  it('has a unit, in its explanation or by its name', () => {
    for (const field of fields) {
      const shown = explanationsOf(field)[0]?.unit;
      const byName = unitByName(field.name);
      const isPlace = /(number|position|index|weekday|hour)$/.test(field.name);
      expect(shown ?? byName ?? (isPlace ? 'place' : undefined), field.name).toBeDefined();
      if (field.unit === undefined || shown === field.unit || isPlace) continue;
      expect(shown).toBeUndefined();
      if (byName === 'time') expect(TIMES).toContain(field.unit);
      else if (byName !== 'how many') expect(byName).toBe(field.unit);
    }
  });

  it('has a definition that stands alone', () => {
    for (const { name, definition } of fields) {
      expect(definition.length, name).toBeGreaterThan(3);
      expect(definition, name).not.toMatch(/^(Of (those|these|them)|The same|Theirs?|Its|It|Those|They)\b/);
    }
  });

  it('is a number that the tool has', () => {
    for (const { name, places } of EXPLAINED.get(tool) ?? []) {
      const own = fields.filter((field) => field.name === name);
      expect(own.length, name).toBeGreaterThan(0);
      const known = FIELDS.filter((field) => field.name === name).map(({ place }) => place);
      for (const place of places ?? []) expect(known).toContain(place);
    }
  });
});

it('explains numbers of no other tools', () => {
  const names = CATALOGUE.map(({ name }) => name);
  expect([...EXPLAINED.keys()].filter((name) => !names.includes(name))).toEqual([]);
});

it('says where numbers are that it does not explain itself', () => {
  for (const { uri, text } of RESOURCES) {
    for (const [, topic] of text.matchAll(/^## Numbers: (.*)$/gm)) {
      if (uri !== 'analytics://metrics') expect(METRICS).toContain(`numbers of ${topic} in ${uri}`);
    }
  }
});
