import { ALL_GROUPS, type GroupName, TOOL_GROUPS } from '../src/business/tool-groups.ts';
import { CATALOGUE } from '../src/catalogue.ts';
import { listTools } from '../src/mcp/tool-list.ts';

/** What some tools cost as JSON, in tokens. */
export interface Costs {
  /** Name, description and input: what hosts give to a model. */
  readonly seen: number;
  /** The tokens of what models see and of the output schemas, which some hosts give to models too. */
  readonly withOutputs: number;
}

/** The limits for all tools. docs/decisions/0077-what-the-tools-cost.md has the reasons. */
export const LIMITS: Costs = { seen: 12_000, withOutputs: 24_000 };

/** The limit for what models see of all tools of all extensions, and of their line in the instructions. */
export const EXTENSION_LIMIT = 3500;

/** The part of `EXTENSION_LIMIT` that both tools of the extension `sql` may take. */
export const SQL_LIMIT = 330;

/** The limit for the instructions of all groups: hosts cut off what is beyond 2 KB. */
export const INSTRUCTIONS_LIMIT = 512;

/** The limit for each resource. */
export const RESOURCE_LIMIT = 7950;

/** A quarter of the bytes, about what tokenizers make of JSON and English. */
export function tokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}

export function costsOfTools(tools: ReturnType<typeof listTools>): Costs {
  const json = (wanted: readonly string[]) =>
    JSON.stringify(
      tools.map((tool) => Object.fromEntries(Object.entries(tool).filter(([key]) => wanted.includes(key)))),
    );
  const seen = ['name', 'description', 'inputSchema'];
  return { seen: tokens(json(seen)), withOutputs: tokens(json([...seen, 'outputSchema'])) };
}

export function costsOfGroups(): readonly (Costs & { readonly group: GroupName })[] {
  return ALL_GROUPS.map((group) => ({
    group,
    ...costsOfTools(listTools(CATALOGUE.filter((tool) => tool.group === TOOL_GROUPS[group]))),
  }));
}
