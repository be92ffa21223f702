import { basename } from 'node:path';
import { z } from 'zod';
import type { Field } from '../src/answers/fields/field.ts';
import type { AccountTool, Answer, BusinessTool } from '../src/answers/tool.ts';
import { structured } from '../src/asking/run-tool.ts';
import { ALL_GROUPS, type GroupName, TOOL_GROUPS } from '../src/business/tool-groups.ts';
import { CATALOGUE } from '../src/catalogue.ts';
import { listTools } from '../src/mcp/tool-list.ts';
import { noiseUnder } from '../src/statistics/noise.ts';
import { type Costs, costsOfGroups, costsOfTools } from './token-costs.ts';
import { exampleArguments } from './tool-examples.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/** Asks the made shop of the demo. */
type Tool = BusinessTool | AccountTool;

export type Ask = (tool: Tool, args: Record<string, unknown>) => Promise<Answer>;

const MARK = 'Generated from the tools of `src/domains` by `npm run generate`.';

const GROUPS = Map.groupBy(CATALOGUE, ({ group }) => group);

/** The pages of docs/tools with the tools of each group, by path. */
export async function toolPages(ask: Ask): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  for (const [group, tools] of GROUPS) {
    const sections: string[] = [];
    for (const tool of tools) sections.push(await toolSection(tool, ask));
    pages.set(pageOf(group), [`# ${group}`, MARK, ...sections, ''].join('\n\n'));
  }
  return pages;
}

export function pageOf(group: string): string {
  return `docs/tools/${group.toLowerCase().replaceAll(' ', '-')}.md`;
}

/** The page with the list of all. */
export function toolList(): string {
  const rows = [...GROUPS].flatMap(([group, tools]) =>
    tools.map((tool) => [
      `[\`${tool.name}\`](${basename(pageOf(group))}#${tool.name})`,
      group,
      firstSentence(tool.description),
      permissionsOf(tool),
    ]),
  );
  const list = markdownTable(['Tool', 'Group', 'Answers', 'Permission'], rows);
  return [
    '# Tools',
    MARK,
    groupTable(),
    '## Each tool',
    list,
    '## What the tools cost',
    COSTS,
    costTable(),
    '',
  ].join('\n\n');
}

/** What a merchant asks the tools of each group. */
const ANSWERS: Readonly<Record<GroupName, string>> = {
  businesses: 'the stores that this connection can read',
  orders: 'orders, revenue, average order value, new and returning customers',
  'product-analytics':
    'products, categories, brands and master products ranked by sales, views, conversion and profit, with filters on any metric; chosen ones per day, week or month; the exact names that filters take',
  'order-patterns':
    'when and how people order, when they buy again, who came back and what they are worth, what is bought together or next',
  traffic:
    'visits, visitors, conversion, orders and revenue by source, channel or campaign, with advertising costs; the paths to an order, and what each channel contributes',
  email:
    'what was sent, delivered, opened, clicked and bought: in all, by type, by campaign, by link; revenue credited to e-mail beside the store’s total and last click; bounces and complaints by mailbox provider, domain or reason',
  sms: 'the same of SMS, with what they cost',
  subscribers: 'how many may be written to, who joined, who left and why, how active they are',
  rfm: 'customers by recency, frequency and money: champions, new, at risk, lost; who moved from which segment to which; thresholds and rules',
  'campaign-statistics':
    'one-off campaigns from audience to revenue and lift; automations, and those that fell silent; popups; A/B variants, with intervals and significance',
  'interest-lists': 'the lists that profiles join; their growth and value',
  products: 'finds a product’s id by name, SKU or EAN; one product in full',
  campaigns:
    'finds a campaign’s id by name or subject; how one is set up, what its recipients read, and whom it goes to, in English',
  segments:
    'saved segments of profiles, and whom they mean; about how many profiles a segment query means, block by block',
};

/** A row for each group: what it answers, and its tools. */
function groupTable(): string {
  const rows = ALL_GROUPS.map((group) => {
    const title = TOOL_GROUPS[group];
    const names = GROUPS.get(title)?.map(({ name }) => code(name)) ?? [];
    return [`[${title}](${basename(pageOf(title))})`, ANSWERS[group], names.join(', ')];
  });
  return markdownTable(['Group', 'Answers', 'Tools'], rows);
}

function firstSentence(text: string): string {
  return text.replace(/(?<=[.?]) .*/, '');
}

const COSTS =
  'Clients load all tools before the first question. A connection that needs only some of them takes their groups ' +
  'alone: `…/mcp?groups=orders,email`, or `STORESIGHT_GROUPS` for the whole server. In tokens, estimated as a quarter of ' +
  'the bytes: what models see (name, description and input), and with output schemas.';

function costTable(): string {
  const cells = ({ seen, withOutputs }: Costs) =>
    [seen, withOutputs].map((cost) => cost.toLocaleString('en'));
  const groups = costsOfGroups().map(({ group, ...costs }) => [code(group), ...cells(costs)]);
  const all = ['all', ...cells(costsOfTools(listTools(CATALOGUE)))];
  return markdownTable(['Group', 'What models see', 'With output schemas'], [...groups, all]);
}

function permissionsOf(tool: Tool): string {
  return tool.scope === 'account' ? 'none' : tool.permissions.map((name) => `\`${name}\``).join(' and ');
}

async function toolSection(tool: Tool, ask: Ask): Promise<string> {
  const args = exampleArguments(tool);
  const answer = await ask(withNoiseOfDocs(tool), args);
  return [
    `## ${tool.name}`,
    tool.description,
    `Permission: ${permissionsOf(tool)}`,
    argumentTable(tool),
    markdownTable(['Field of the answer', 'Type', 'Unit', 'Definition'], fieldRows(tool)),
    `Example, on the made shop of the demo (long lists are cut to ${SHOWN_ELEMENTS} elements, long texts to ${SHOWN_CHARACTERS} characters):`,
    codeBlock(args),
    codeBlock(shortened(structured(answer))),
  ].join('\n\n');
}

/** Elsewhere noise is of the instance and the snapshot, and examples would differ each time. */
function withNoiseOfDocs(tool: Tool): Tool {
  if (tool.scope === 'account') return tool;
  return { ...tool, plan: (context) => tool.plan({ ...context, noise: noiseUnder('docs/tools') }) };
}

function argumentTable({ input }: Tool): string {
  const { properties = {}, required = [] } = z.toJSONSchema(input, { io: 'input', reused: 'inline' });
  const rows = Object.entries(properties).map(([name, schema]) => {
    const node = schema as Schema;
    const fallback = required.includes(name) ? 'required' : code(JSON.stringify(node.default));
    return [
      code(name),
      typeOf(node),
      fallback,
      [choicesOf(node), node.description?.replaceAll('[', '\\[') ?? ''].filter(Boolean).join('. '),
    ];
  });
  return rows.length === 0 ? 'No arguments.' : markdownTable(['Argument', 'Type', 'Default', ''], rows);
}

function fieldRows({ fields }: Tool): string[][] {
  return rowsOf(fields, '');
}

/** A row for each field, those of nested objects by their path. */
function rowsOf(fields: readonly Field[], path: string): string[][] {
  return fields.flatMap((field) => {
    const { key, type, unit = '', definition, null: meaning } = field;
    const told = meaning === undefined ? definition : `${definition} Null: ${meaning}.`;
    const inner = field.fields ?? field.either?.flat() ?? [];
    const once = inner.filter((one, index) => inner.findIndex((other) => other.key === one.key) === index);
    return [
      [code(`${path}${key}`), fieldType(field), unit, told],
      ...rowsOf(once, `${path}${key}${type === 'list' ? '[]' : ''}.`),
    ];
  });
}

function fieldType({ type, of, values, null: meaning }: Field): string {
  const single = values?.map((value) => code(value)).join(', ') ?? type;
  const shown = type === 'list' ? `list of ${of ?? 'object'}` : single;
  return meaning === undefined ? shown : `${shown} or null`;
}

function withoutNull(schema: Schema): Schema {
  return (schema.anyOf?.find((one) => (one as Schema).type !== 'null') as Schema | undefined) ?? schema;
}

function typeOf(schema: Schema): string {
  const inner = withoutNull(schema);
  const isNullable = inner !== schema || [inner.type].flat().includes('null');
  const name = [inner.type].flat().filter((type) => type !== 'null')[0] ?? 'any';
  const shown = name === 'array' ? `list of ${typeOf(inner.items as Schema)}` : (inner.format ?? name);
  return isNullable ? `${shown} or null` : String(shown);
}

function choicesOf(schema: Schema): string {
  const { enum: choices, minimum, maximum } = withoutNull(schema);
  if (choices !== undefined) return `One of ${choices.map((choice) => code(String(choice))).join(', ')}`;
  if (minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) {
    return `${minimum} to ${maximum}`;
  }
  return '';
}

const SHOWN_ELEMENTS = 2;
const SHOWN_CHARACTERS = 200;

function shortened(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}…` : value;
  }
  if (Array.isArray(value)) return value.slice(0, SHOWN_ELEMENTS).map(shortened);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}

function code(text: string): string {
  return `\`${text}\``;
}

function codeBlock(value: unknown): string {
  return `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
}

export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(header), `|${'---|'.repeat(header.length)}`, ...rows.map(line)].join('\n');
}
