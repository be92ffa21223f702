import { describe, expect, it } from 'vitest';
import { costsOfTools, EXTENSION_LIMIT, SQL_LIMIT, tokens } from '../../scripts/token-costs.ts';
import { namedExtensions, readExtensions } from '../../src/business/extensions.ts';
import { ALL_GROUPS } from '../../src/business/tool-groups.ts';
import { CATALOGUE, EXTENSION_TOOLS, toolsOfExtensions } from '../../src/catalogue.ts';
import { instructionsOf } from '../../src/mcp/instructions.ts';
import { listTools } from '../../src/mcp/tool-list.ts';

it('the tools of extensions and their instructions fit into the tokens that extensions have', () => {
  const line = tokens(instructionsOf(ALL_GROUPS, ['insights'])) - tokens(instructionsOf(ALL_GROUPS));
  expect(costsOfTools(listTools(EXTENSION_TOOLS)).seen + line).toBeLessThanOrEqual(EXTENSION_LIMIT);
  expect(Buffer.byteLength(instructionsOf(ALL_GROUPS, ['insights']))).toBeLessThanOrEqual(2304);
  expect(costsOfTools(listTools(toolsOfExtensions(['sql']))).seen).toBeLessThanOrEqual(SQL_LIMIT);
});

it('the tools by which anything is cut, explained and queried fit into 1,800 tokens', () => {
  const names = ['list_metrics', 'query_metrics', 'explain_change', 'query_sql', 'describe_tables'];
  const tools = EXTENSION_TOOLS.filter(({ name }) => names.includes(name));
  expect(tools).toHaveLength(names.length);
  expect(costsOfTools(listTools(tools)).seen).toBeLessThanOrEqual(1800);
});

it('no tool of an extension is one of the contract', () => {
  const names = CATALOGUE.map(({ name }) => name);
  for (const { name, group } of EXTENSION_TOOLS) {
    expect(names).not.toContain(name);
    expect(['Insights', 'SQL']).toContain(group);
  }
});

describe('the extensions of a connection', () => {
  it('a connection has the extensions that it asks for and those that every connection has', () => {
    expect(readExtensions(null)).toEqual([]);
    expect(readExtensions(' insights ,')).toEqual(['insights']);
    expect(readExtensions('', ['insights'])).toEqual(['insights']);
  });

  it('a connection has the extension sql only where it asks for it and the operator allows it', () => {
    expect(readExtensions('', ['insights', 'sql'])).toEqual(['insights']);
    expect(readExtensions('sql', ['sql'])).toEqual(['sql']);
    expect(readExtensions('sql,insights', ['sql'])).toEqual(['insights', 'sql']);
    expect(() => readExtensions('sql', ['insights'])).toThrow(
      'the extension sql is not allowed on this server; whoever runs it can allow it with STORESIGHT_EXTENSIONS=insights,sql',
    );
    expect(namedExtensions('insights, sql')).toEqual(['insights', 'sql']);
  });

  it('an extension that does not exist is refused', () => {
    expect(() => readExtensions('insigths')).toThrow(
      'there is no extension insigths; extensions are insights',
    );
  });
});
