/**
 * What an agent's context pays for each tool, resource and prompt, in tokens estimated as a quarter of the
 * bytes. Fails above the limits of all tools.
 */

import { ALL_GROUPS } from '../src/business/tool-groups.ts';
import { CATALOGUE } from '../src/catalogue.ts';
import { instructionsOf } from '../src/mcp/instructions.ts';
import { listTools } from '../src/mcp/tool-list.ts';
import { RESOURCES } from '../src/resources/all-resources.ts';
import {
  costsOfGroups,
  costsOfTools,
  INSTRUCTIONS_LIMIT,
  LIMITS,
  RESOURCE_LIMIT,
  tokens,
} from './token-costs.ts';

const tools = listTools(CATALOGUE);
const all = costsOfTools(tools);
const instructions = instructionsOf(ALL_GROUPS);
const rows = [
  ...tools.map((tool) => [tool.name, costsOfTools([tool])] as const),
  ...costsOfGroups().map(({ group, ...costs }) => [`group ${group}`, costs] as const),
  ['all tools, as models see them and with output schemas', all] as const,
];
for (const [name, { seen, withOutputs }] of rows) print(seen, withOutputs, name);
const texts = [
  ['instructions', instructions] as const,
  ...RESOURCES.map(({ uri, text }) => [uri, text] as const),
];
for (const [name, text] of texts) print(tokens(text), '', name);

for (const measure of ['seen', 'withOutputs'] as const)
  compare(
    `all tools (${measure})`,
    all[measure],
    LIMITS[measure],
    'descriptions and arguments of the tools that cost most above',
  );
compare(
  'instructions of all groups',
  tokens(instructions),
  INSTRUCTIONS_LIMIT,
  'src/mcp/instructions.ts, or the names of tools',
);
for (const { uri, text } of RESOURCES)
  compare(uri, tokens(text), RESOURCE_LIMIT, 'definitions, the same words wherever it is the same value');

function compare(what: string, cost: number, limit: number, toShorten: string): void {
  if (cost <= limit) {
    console.log(`${what}: ${limit - cost} tokens left`);
    return;
  }
  console.error(
    `${what}: ${cost} tokens, ${cost - limit} more than allowed: shorten ${toShorten}, or raise the limit in ` +
      'scripts/token-costs.ts with a reason in docs/decisions/0077',
  );
  process.exitCode = 1;
}

function print(first: number, second: number | '', name: string): void {
  console.log(`${String(first).padStart(6)} ${String(second).padStart(6)} ${name}`);
}
