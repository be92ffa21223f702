import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { CATALOGUE } from '../../src/catalogue.ts';
import { INSTRUCTIONS } from '../../src/mcp/instructions.ts';
import { listTools } from '../../src/mcp/tool-list.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { CONTRACT_TOOLS } from './contract-facts.ts';

const listed = listTools(CATALOGUE);

describe('the catalogue', () => {
  it('has the tools of the contract first, in its order', () => {
    const names = Object.keys(CONTRACT_TOOLS);
    expect(CATALOGUE.map(({ name }) => name).slice(0, names.length)).toEqual(names);
  });

  it('is the folder: each tool has a file of its name in a group folder, and each such file is a tool', () => {
    const folder = fileURLToPath(new URL('../../src/tools', import.meta.url));
    const files = globSync('*/*.ts', { cwd: folder }).map((file) =>
      basename(file, '.ts').replaceAll('-', '_'),
    );
    expect(files.sort()).toEqual(CATALOGUE.map(({ name }) => name).sort());
  });

  it('fits into an agent: the whole list within 180 KB (120 KB for all 55 is to come), instructions within 2 KB', () => {
    expect(JSON.stringify(listed).length).toBeLessThan(180_000);
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
    expect(tool.annotations).toMatchObject({
      title: tool.title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    });
  });

  it('has every declared field in every answer, which the list therefore does not repeat', () => {
    const { output } = CATALOGUE.find((candidate) => candidate.name === name) as Tool;
    const walk = (node: unknown): void => {
      if (node === null || typeof node !== 'object') return;
      const { properties, required } = node as { properties?: object; required?: string[] };
      if (properties !== undefined) expect(required?.toSorted()).toEqual(Object.keys(properties).sort());
      for (const child of Object.values(node)) walk(child);
    };
    walk(z.toJSONSchema(output, { io: 'output', reused: 'inline' }));
    expect(JSON.stringify(tool.outputSchema)).not.toContain('"required":[');
  });

  it('has flat schemas: no references, no choice at the root, nothing more than is declared', () => {
    for (const schema of [tool.inputSchema, tool.outputSchema]) {
      expect(JSON.stringify(schema)).not.toMatch(/"\$(ref|defs|schema)"/);
      expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(Object.keys(schema ?? {})).not.toEqual(expect.arrayContaining([expect.stringMatching(/Of$/)]));
    }
  });

  it('describes its arguments', () => {
    for (const [argument, schema] of Object.entries(tool.inputSchema.properties ?? {})) {
      if (['sort_order'].includes(argument)) continue;
      expect((schema as { description?: string }).description, argument).toBeTruthy();
    }
  });
});
