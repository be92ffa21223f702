/**
 * The longest answers, in tokens of four bytes; `content` and `structuredContent` hold the same JSON. Each tool is asked
 * with what it requires alone, over all the data, in each breakdown or dimension, and with its highest limit.
 *
 *   node bench/answer-sizes.ts <data folder with the demo businesses> [least tokens to be listed; default 10000]
 */
import { CATALOGUE } from '../src/catalogue.ts';
import { operatorCaller } from '../src/control/callers.ts';
import { runTool } from '../src/mcp/run-tool.ts';
import { listTools } from '../src/mcp/tool-list.ts';
import { openInstance } from '../src/server/instance.ts';
import { readSettings } from '../src/server/settings.ts';
import { toolEnvironment } from '../src/server/tool-environment.ts';
import { openWarehouse } from '../src/server/warehouse.ts';

type Arguments = Readonly<Record<string, unknown>>;

interface Choice {
  readonly enum?: readonly string[];
}

interface Property extends Choice {
  readonly anyOf?: readonly Choice[];
  readonly maximum?: number;
}

interface Schema {
  readonly properties: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
}

const settings = readSettings({ STORESIGHT_DATA: process.argv[2] });
const listedFrom = Number(process.argv[3] ?? 10_000);
const instance = await openInstance(settings);
const warehouse = await openWarehouse(instance, settings);
const environment = toolEnvironment(instance, warehouse);

async function ask(name: string, args: Arguments): Promise<object> {
  const tool = CATALOGUE.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return (await runTool(environment, tool, args, operatorCaller(instance.control))).result;
}

const tokensOf = (result: object) => Math.round(Buffer.byteLength(JSON.stringify(result)) / 4);

function rowsOf(result: object): readonly Record<string, unknown>[] {
  return Object.values(result).find(Array.isArray) ?? [];
}

/** What tools require: all the time there are orders of, and the first names or ids of the lists. */
async function knownArguments(business_id: string): Promise<Arguments> {
  const facts = (await environment.findServed(business_id))?.facts;
  const list = async (tool: string, field: string) =>
    rowsOf(await ask(tool, { business_id }))
      .map((row) => row[field])
      .filter(Boolean);
  const products = await list('list_products', 'external_product_id');
  return {
    business_id,
    from_date: facts?.history_starts_at,
    to_date: facts?.orders_until,
    external_product_id: products[0],
    external_product_ids: products,
    external_master_product_ids: products,
    categories: await list('list_product_categories', 'category'),
    brands: await list('list_product_brands', 'brand'),
    campaign_id: (await list('list_campaigns', 'campaign_id'))[0],
    segment_id: (await list('list_segments', 'segment_id'))[0],
  };
}

/** The arguments by which tools divide an answer. */
const SPLITS = ['breakdown', 'dimension'];

function variants({ properties, required = [] }: Schema, known: Arguments): readonly Arguments[] {
  const least = Object.fromEntries(required.map((name) => [name, known[name]]));
  const splits = SPLITS.flatMap((name) =>
    [properties[name] ?? {}, ...(properties[name]?.anyOf ?? [])].flatMap((choice) =>
      (choice.enum ?? []).map((value) => ({ ...least, [name]: value })),
    ),
  );
  const isSplit = SPLITS.some((name) => required.includes(name));
  const asked = isSplit ? splits : [least, ...splits];
  const limit = properties.limit?.maximum;
  return limit === undefined ? asked : [...asked, ...asked.map((args) => ({ ...args, limit }))];
}

const measured: { readonly row: string; readonly tokens: number }[] = [];
for (const business of rowsOf(await ask('list_businesses', {}))) {
  const known = await knownArguments(String(business.business_id));
  for (const { name, inputSchema } of listTools(CATALOGUE)) {
    for (const args of variants(inputSchema as unknown as Schema, known)) {
      const { breakdown = '', dimension = '', limit = 'default' } = args;
      const asked = `${business.name} | ${name} | ${breakdown}${dimension} | ${limit}`;
      try {
        const result = await ask(name, args);
        const asTable =
          'format' in (inputSchema.properties ?? {})
            ? tokensOf(await ask(name, { ...args, format: 'table' }))
            : '';
        measured.push({ row: `${asked} | ${rowsOf(result).length} | ${asTable}`, tokens: tokensOf(result) });
      } catch (error) {
        console.error(`${asked}: ${error instanceof Error ? error.message : error}`);
      }
    }
  }
}
console.log('business | tool | breakdown | limit | rows | tokens as table | tokens');
for (const { row, tokens } of measured.sort((a, b) => b.tokens - a.tokens)) {
  if (tokens >= listedFrom) console.log(`${row} | ${tokens}`);
}
await warehouse.close();
await instance[Symbol.asyncDispose]();
