import { describe, expect, it } from 'vitest';
import type { Field as Declared } from '../../src/answers/fields/field.ts';
import { UNITS, type Unit } from '../../src/answers/fields/units.ts';
import type { Tool } from '../../src/answers/tool.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { RESOURCES } from '../../src/resources/all-resources.ts';

/** A number, flag, choice or text as a tool declares it. */
interface Field {
  readonly tool: string;
  readonly name: string;
  /** The list or object that it stands in; empty: the answer itself. */
  readonly place: string;
  readonly isNullable: boolean;
  readonly definition: string;
  /** Null: no number. */
  readonly unit: Unit | null;
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

const NAME_SAYS_ALL = [
  'As named.',
  'Business data.',
  'In UTC.',
  'As other tools take it.',
  'As set up.',
  'As loaded.',
];
const isEcho = (definition: string) => /(^As|, as) asked\.$/.test(definition);
const isAboutText = (definition: string) => definition.endsWith(' Business data.');

function fieldsOf(tool: Tool): Field[] {
  const walk = (declared: readonly Declared[], place: string): Field[] =>
    declared.flatMap(
      ({ key: name, definition, unit = null, values, null: meaning, fields = [], either = [] }) => {
        const inner = [fields, ...either].flat();
        if (inner.length > 0) return walk(inner, name);
        // Texts of the business, and what the name says: nothing is to be explained of them.
        const own = isAboutText(definition) ? definition.slice(0, -' Business data.'.length) : definition;
        if (NAME_SAYS_ALL.includes(own) || isEcho(own)) return [];
        // That any number of a row with is_hidden can be hidden is said once, before them; a note tells of
        // money without a rate.
        const isToldOnce = meaning === 'hidden' || meaning === 'no exchange rate';
        const cause = isToldOnce ? undefined : meaning?.replace(', or hidden', '');
        const means =
          cause === undefined || ['nothing to divide by', 'none loaded'].includes(cause)
            ? ''
            : `; null: ${cause}`;
        const untold = (values ?? []).filter((value) => !definition.includes(value));
        const chosen = untold.length === 0 ? '' : `: ${(values ?? []).join(', ')}`;
        // Both ends of an interval stand in one line: which of them it is, their names say.
        const told = `${own.replace(/\.$/, '').replace(/^(Low|High) end of/, 'End of')}${chosen}${means}`;
        return [{ tool: tool.name, name, place, isNullable: cause !== undefined, definition: told, unit }];
      },
    );
  return walk(tool.fields, '');
}

const FIELDS = CATALOGUE.flatMap(fieldsOf);

/** `email_{channel_, link_}, order_+` as tools. */
function toolsOf(heading: string): string[] {
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

/** A heading such as `17 tools` counts the tools whose answers have the number. */
function toolsWith(name: string, definition: string, heading: string): string[] {
  const fields = FIELDS.filter(
    (field) => field.name === name && field.definition.replaceAll('_count', '') === definition,
  );
  const tools = [...new Set(fields.map(({ tool }) => tool))];
  expect(`${tools.length} tools`, name).toBe(heading);
  return tools;
}

function explainedIn(text: string): Map<string, Explained[]> {
  const explained = new Map<string, Explained[]>();
  for (const [, block = ''] of text.matchAll(/```\n(.*?)```/gs)) {
    let heading = '';
    for (const line of block.trim().split('\n')) {
      const begun = /^\[(.*)\]$/.exec(line)?.[1];
      if (begun !== undefined) {
        heading = begun;
        continue;
      }
      const [, labels = '', definition = '', unit] = /^([^:]+): (.*?)(?: \[([^\]]+)\])?$/.exec(line) ?? [];
      for (const labelled of labels.split(', ')) {
        const [, label = '', ownUnit] = /^(.*?)(?: \[([^\]]+)\])?$/.exec(labelled) ?? [];
        const [name = '', places] = label.replace('?', '').split('.').reverse();
        const entry = {
          ...{ name, places: places?.split('/') ?? null, isNullable: label.endsWith('?') },
          ...{ definition, unit: ownUnit ?? unit },
        };
        const tools = /^\d+ tools$/.test(heading) ? toolsWith(name, definition, heading) : toolsOf(heading);
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

describe.each(CATALOGUE.map(({ name }) => name))('every value of %s', (tool) => {
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

  it('has its unit, unless it is a count of what the definition names', () => {
    for (const field of fields) {
      const shown = field.unit === null || UNITS[field.unit] === 'count' ? undefined : field.unit;
      expect(explanationsOf(field)[0]?.unit, field.name).toBe(shown);
    }
  });

  it('has a definition that stands alone', () => {
    for (const { name, definition } of fields) {
      expect(definition.length, name).toBeGreaterThan(3);
      expect(definition, name).not.toMatch(/^(Of (those|these|them)|The same|Theirs?|Its|It|Those|They)\b/);
    }
  });

  it('is a value that the tool has', () => {
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
      const told = new RegExp(`[ ,]${topic}(, [^;]*)? in ${uri}[.;]`);
      if (uri !== 'analytics://metrics') expect(METRICS).toMatch(told);
    }
  }
});
