// What `tools/list` declares must load in every client: strict validators, and those that know one type for
// each node.
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { ALL_GROUPS } from '../../src/business/tool-groups.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { instructionsOf } from '../../src/mcp/instructions.ts';
import { listTools } from '../../src/mcp/tool-list.ts';

interface Node {
  readonly type?: unknown;
  readonly format?: unknown;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: Node;
  readonly description?: string;
}

const LISTED = listTools(CATALOGUE);

/** What OpenAI's strict mode knows of JSON Schema, and what its clients change or leave out themselves. */
const STRICT_KEYWORDS = [
  ...['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'description', 'default'],
  ...['minimum', 'maximum', 'minItems', 'maxItems', 'minLength'],
];
const STRICT_TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean'];

/**
 * Why a schema cannot become one of the strict subset that takes the same arguments; clients then send any,
 * unchecked.
 */
function notStrict(schema: Node): string[] {
  return nodes(schema).flatMap(([path, node]) => [
    ...Object.keys(node).flatMap((keyword) =>
      STRICT_KEYWORDS.includes(keyword) ? [] : [`${path}: ${keyword}`],
    ),
    // Whoever makes all properties required lets the others be null, which needs to know what they are.
    ...(STRICT_TYPES.includes(String(node.type)) ? [] : [`${path}: of type ${node.type}`]),
    ...(node.type === 'array' && node.items === undefined ? [`${path}: of anything`] : []),
    ...(node.type === 'object' && isOpenObject(node) ? [`${path}: an object of anything`] : []),
    ...(node.required ?? []).flatMap((name) =>
      name in (node.properties ?? {}) ? [] : [`${path}: requires ${name}, which is no property`],
    ),
  ]);
}

/**
 * A client that makes schemas strict closes one with some properties, unless the schema itself says that it
 * is open.
 */
function isOpenObject({ properties = {}, additionalProperties }: Node): boolean {
  return (
    additionalProperties !== false &&
    (Object.keys(properties).length === 0 || additionalProperties !== undefined)
  );
}

function nodes(node: Node, path = ''): [string, Node][] {
  const own: [string, Node][] = [[path, node]];
  const parts = Object.entries(node.properties ?? {}).flatMap(([name, part]) =>
    nodes(part, `${path}/${name}`),
  );
  return [...own, ...parts, ...(node.items === undefined ? [] : nodes(node.items, `${path}/items`))];
}

describe.each(LISTED.map((tool) => [tool.name, tool] as const))(
  '%s',
  (name, { inputSchema, outputSchema }) => {
    it('compiles in strict mode, with one type for each value', () => {
      const ajv = new Ajv2020({ strict: true, strictTypes: true, strictRequired: false });
      expect(() => ajv.compile(inputSchema)).not.toThrow();
      expect(() => ajv.compile((outputSchema ?? {}) as object)).not.toThrow();
    });

    it('has one type for each argument, and nothing that a client would enforce otherwise than we do', () => {
      for (const [path, node] of nodes(inputSchema as Node)) {
        expect([path, typeof node.type]).toEqual([path, 'string']);
        for (const keyword of ['format', 'pattern', 'anyOf', 'oneOf', '$ref', 'nullable'])
          expect([path, keyword, keyword in node]).toEqual([path, keyword, false]);
        // Clients that add arguments of their own would refuse them; where there are none, it is what makes
        // the object closed.
        const isOpen = Object.keys(node.properties ?? {}).length > 0 || node.type !== 'object';
        expect([path, node.additionalProperties]).toEqual([path, isOpen ? undefined : false]);
      }
    });

    it("becomes a schema of OpenAI's strict subset that takes the same arguments", () => {
      expect(notStrict(inputSchema as Node)).toEqual([]);
    });

    it('lists the calendar that its answer may have', () => {
      const isTrend = CATALOGUE.find((tool) => tool.name === name)?.fields.some(
        ({ key }) => key === 'calendar_events',
      );
      expect('calendar_events' in ((outputSchema?.properties ?? {}) as object)).toBe(isTrend);
    });

    it('shows by an example how days are written', () => {
      const { to_date } = inputSchema.properties as Record<string, Node>;
      if (to_date !== undefined)
        expect(to_date).toEqual({ type: 'string', description: 'Inclusive, e.g. 2026-10-31' });
    });
  },
);

it('nine trends list a calendar in their answer', () => {
  expect(
    LISTED.filter(({ outputSchema }) => 'calendar_events' in ((outputSchema?.properties ?? {}) as object)),
  ).toHaveLength(9);
});

it('the instructions describe dates as the arguments do', () => {
  expect(instructionsOf(ALL_GROUPS)).toContain(
    'Dates: days of the store, inclusive, 2026-03-01 to 2026-03-31',
  );
});

it("the check of OpenAI's strict subset finds schemas that are outside of it", () => {
  const of = (query: object) => notStrict({ type: 'object', properties: { query } } as Node);
  expect(notStrict({ type: 'object', properties: {} })).toEqual([': an object of anything']);
  expect(notStrict({ type: 'object', properties: {}, additionalProperties: false })).toEqual([]);
  expect(of({ type: 'object' })).toEqual(['/query: an object of anything']);
  const open = { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: {} };
  expect(of(open)).toEqual(['/query: an object of anything']);
  expect(of({ anyOf: [{ type: 'string' }] })).toEqual(['/query: anyOf', '/query: of type undefined']);
  expect(of({ type: 'array' })).toEqual(['/query: of anything']);
  expect(of({ type: 'array', items: {} })).toEqual(['/query/items: of type undefined']);
});
