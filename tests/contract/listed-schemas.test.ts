// What `tools/list` declares must load in every client: strict validators, and those that know one type for each node.
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
  readonly items?: Node;
  readonly description?: string;
}

const LISTED = listTools(CATALOGUE);

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
        for (const keyword of [
          'format',
          'pattern',
          'anyOf',
          'oneOf',
          '$ref',
          'nullable',
          'additionalProperties',
        ])
          expect([path, keyword, keyword in node]).toEqual([path, keyword, false]);
      }
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

it('nine trends have a calendar', () => {
  expect(
    LISTED.filter(({ outputSchema }) => 'calendar_events' in ((outputSchema?.properties ?? {}) as object)),
  ).toHaveLength(9);
});

it('the instructions say the same of dates', () => {
  expect(instructionsOf(ALL_GROUPS)).toContain(
    'Dates: days of the store, inclusive, 2026-03-01 to 2026-03-31',
  );
});
