import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Tool } from '../../src/answers/tool.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { INSTRUCTIONS } from '../../src/mcp/instructions.ts';
import { listTools } from '../../src/mcp/tool-list.ts';
import { CONTRACT_TOOLS } from './contract-facts.ts';

const listed = listTools(CATALOGUE);

type Schema = z.core.JSONSchema.BaseSchema;
/** Of a schema, or of the alternative beside null. */
const alternative = (schema: Schema, key: keyof Schema) =>
  schema[key] ?? schema.anyOf?.map((one) => (one as Schema)[key]).find((value) => value !== undefined);
const propertiesOf = (schema: Schema) => (alternative(schema, 'properties') ?? {}) as Record<string, Schema>;
const typesOf = (schema: Schema): unknown[] =>
  [schema.type ?? schema.anyOf?.flatMap((one) => (one as Schema).type)].flat().sort();

describe('the catalogue', () => {
  it('has the tools of the contract first, in its order', () => {
    const names = Object.keys(CONTRACT_TOOLS);
    expect(CATALOGUE.map(({ name }) => name).slice(0, names.length)).toEqual(names);
  });

  it('is the folder: each tool has a file of its name in a folder of a domain, and each such file is a tool', () => {
    const folder = fileURLToPath(new URL('../../src/domains', import.meta.url));
    const files = globSync('*/tools/*.ts', { cwd: folder }).map((file) =>
      basename(file, '.ts').replaceAll('-', '_'),
    );
    expect(files.sort()).toEqual(CATALOGUE.map(({ name }) => name).sort());
  });

  it('fits into an agent: the whole list within 120 KB, instructions within 2 KB', () => {
    expect(Buffer.byteLength(JSON.stringify(listed))).toBeLessThan(120_000);
    expect(Buffer.byteLength(INSTRUCTIONS)).toBeLessThanOrEqual(2048);
    for (const { name } of CATALOGUE) {
      // Of tools that end alike only the beginnings are written out.
      const beginning = name.replace(/_statistics(_trend)?$/, '_').replace(/_trend$/, '');
      expect(INSTRUCTIONS, name).toContain(beginning);
    }
  });
});

describe.each(listed.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  it('is named and described within the limits of hosts', () => {
    expect(name).toMatch(/^[a-z][a-z_]{0,31}$/);
    expect(tool.title).toMatch(/^[A-Z]/);
    expect(tool.description?.length).toBeLessThanOrEqual(400);
  });

  it('is marked read-only, idempotent and of a closed world', () => {
    expect(tool.annotations).toEqual({
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
  });

  it('lists the fields of the answer, with the types of all but numbers; each field is in every answer, and no other', () => {
    const { output } = CATALOGUE.find((candidate) => candidate.name === name) as Tool;
    const compare = (checked: Schema, shown: Schema): void => {
      const types = typesOf(checked);
      const isNumber = types.includes('number') || types.includes('integer');
      expect(typesOf(shown)).toEqual(isNumber ? [undefined] : types);
      const [fields, shownFields] = [propertiesOf(checked), propertiesOf(shown)];
      expect(Object.keys(shownFields)).toEqual(Object.keys(fields));
      if (Object.keys(fields).length > 0) {
        expect(alternative(checked, 'required')).toEqual(Object.keys(fields));
        expect(alternative(checked, 'additionalProperties')).toBe(false);
      }
      for (const field of Object.keys(fields)) compare(fields[field] as Schema, shownFields[field] as Schema);
      const [items, shownItems] = [alternative(checked, 'items'), alternative(shown, 'items')];
      if (items !== undefined) compare(items as Schema, shownItems as Schema);
    };
    compare(z.toJSONSchema(output, { io: 'output', reused: 'inline' }), tool.outputSchema as Schema);
  });

  it('has flat schemas: no references, no choice at the root', () => {
    for (const schema of [tool.inputSchema, tool.outputSchema]) {
      expect(JSON.stringify(schema)).not.toMatch(/"\$(ref|defs|schema)"/);
      expect(schema).toMatchObject({ type: 'object' });
      expect(Object.keys(schema ?? {})).not.toEqual(expect.arrayContaining([expect.stringMatching(/Of$/)]));
    }
  });

  it('describes its arguments', () => {
    for (const [argument, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
      // These names say all.
      if (['business_id', 'sort_by', 'sort_order', 'limit', 'offset'].includes(argument)) continue;
      expect((schema as { description?: string }).description, argument).toBeTruthy();
    }
  });
});
