import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { calendarField } from '../answers/calendar-event.ts';
import { ROW_FORMATS } from '../answers/row-formats.ts';
import type { Tool } from '../answers/tool.ts';
import { shownWhole } from '../asking/long-answer.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/**
 * `tools/list` as clients see it. Schemas are converted once, when the program starts.
 *
 * Hosts load it whole before the first question, so it says everything once: an input schema describes its
 * arguments, an output schema tells fields and types. What the fields mean is in the resources and in
 * docs/tools; what many tools share is in the instructions. There is no `anyOf` at any depth, since
 * connectors hang on it.
 */
export function listTools(tools: readonly Tool[]): ListedTool[] {
  return tools.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: listedInput(tool) as ListedTool['inputSchema'],
    outputSchema: listedOutput(tool) as NonNullable<ListedTool['outputSchema']>,
    // The other hints say something of tools that write.
    annotations: { title: tool.title, readOnlyHint: true, openWorldHint: false },
    ...shownWhole(tool),
  }));
}

/** JSON Schema 2020-12 without references. */
function convert(schema: z.ZodObject, io: 'input' | 'output'): Schema {
  const { $schema: _dialect, ...converted } = z.toJSONSchema(schema, {
    io,
    reused: 'inline',
    override: ({ jsonSchema: node }) => joinChoices(node),
  });
  return converted;
}

/** Joins the types and fields of all kinds that something can be of. */
function joinChoices(node: Schema): void {
  const choices = node.anyOf as readonly Schema[] | undefined;
  if (choices === undefined) return;
  const own = { ...node };
  delete own.anyOf;
  const properties = Object.assign({}, ...choices.map((choice) => choice.properties ?? {}));
  const types = [...new Set(choices.flatMap(({ type }) => type ?? []))];
  delete node.anyOf;
  Object.assign(node, ...choices, own, { type: types.length === 1 ? types[0] : types });
  if (Object.keys(properties).length > 0) Object.assign(node, { properties });
}

/**
 * Arguments of many tools: the instructions tell of them, the tool that finds such ids does, or their name.
 */
const SHARED_ARGUMENTS = ['from_date', 'breakdown', 'campaign_id', 'rfm_profile_id', 'exclude_types'];

/** The examples of the instructions that every client should see: how a date is written. */
const EXAMPLES: Readonly<Record<string, string>> = { to_date: 'Inclusive, e.g. 2026-10-31' };

/** What few rows are anyway goes without saying, and is accepted. */
const OTHER_FORMATS = ROW_FORMATS.slice(1);

/**
 * The defaults that nobody needs to be told: from the first row on, the largest first, without what can be
 * added.
 */
const OBVIOUS_DEFAULTS: readonly unknown[] = [0, 'desc', false];

function listedInput({ rows, input }: Tool): Schema {
  const schema = convert(input, 'input');
  const properties = Object.entries(schema.properties ?? {}).map(([argument, argumentSchema]) => {
    const { description: whole, ...shown } = onlyArguments(argumentSchema as Schema);
    const description = EXAMPLES[argument] ?? whole;
    // The same everywhere, and said when there are more.
    if (argument === 'limit') delete shown.maximum;
    const isRows = rows !== undefined && ['fields', 'format'].includes(argument);
    if (isRows && argument === 'format') shown.enum = OTHER_FORMATS;
    if (isRows || OBVIOUS_DEFAULTS.includes(shown.default)) delete shown.default;
    const isTold = description === undefined || isRows || SHARED_ARGUMENTS.includes(argument);
    return [argument, isTold ? shown : { ...shown, description }];
  });
  // An object without properties would be one with any: OpenAI's strict mode takes none that is open.
  const isClosed = properties.length === 0 && { additionalProperties: false };
  return { ...onlyArguments(schema), properties: Object.fromEntries(properties), ...isClosed };
}

/**
 * What nobody violates, what the server says better when somebody does, and what says nothing to a reader, is
 * left out. Each node has one type, since some clients load no tool at all where one has two: null is taken
 * everywhere, and says the same as leaving an argument out.
 */
function onlyArguments(node: Schema): Schema {
  const { additionalProperties: _strict, maxItems: _most, propertyNames: _text, ...shown } = node;
  // The highest value of whole numbers is what matters.
  if (shown.type === 'integer') delete shown.minimum;
  if (shown.maximum === Number.MAX_SAFE_INTEGER) delete shown.maximum;
  delete shown.maxLength;
  // An id is copied from an answer, and a wrong one gets the contract's error. A date-time of JSON Schema
  // must have an offset, so clients that check formats would refuse the days and times of the store, which
  // the contract has.
  delete shown.format;
  delete shown.pattern;
  const [type] = [shown.type ?? []].flat().filter((each) => each !== 'null');
  if (type !== undefined) shown.type = type;
  // What may be null, or empty, may be left out.
  if (shown.default === null || (Array.isArray(shown.default) && shown.default.length === 0))
    delete shown.default;
  return {
    ...shown,
    ...(shown.properties !== undefined && { properties: each(shown.properties, onlyArguments) }),
    ...(shown.items !== undefined && { items: onlyArguments(shown.items as Schema) }),
  };
}

/**
 * The output as it is listed, with what may stand beside the fields: notes, rows as a table, and what
 * happened in the periods of a trend.
 */
function listedOutput({ rows, fields, output }: Tool): Schema {
  const listed = onlyFields(convert(output, 'output'));
  const properties = { ...listed.properties };
  // Another list beside the rows is a table where they are.
  for (const { key, type } of rows === undefined ? [] : fields)
    if (type === 'list' && key !== rows?.list && key in properties)
      properties[key] = namesOnly(properties[key]);
  if (rows !== undefined) Object.assign(properties, { columns: {}, rows: rowsSchema(properties.rows) });
  if (fields.includes(calendarField)) Object.assign(properties, { calendar_events: {} });
  return { ...listed, properties: { ...properties, notes: {} } };
}

/**
 * The schema of rows. Where the rows have this name anyway, an element is an object or, in a table, a list:
 * strict clients read nothing of a schema with two types.
 */
function rowsSchema(rows: unknown): Schema {
  if (rows === undefined) return {};
  return { type: 'array', ...namesOnly(rows) };
}

/** The names alone. Without them, the list is as another one of the answer. */
function namesOnly(list: unknown): Schema {
  const { items } = list as { readonly items?: Schema };
  const names = Object.keys(items?.properties ?? {}).join(', ');
  return names === '' ? {} : { description: `Of ${names}` };
}

/**
 * An object that repeats at least this many fields of an earlier one (a period those of the totals) lists
 * only the others.
 */
const REPEATED_FIELDS = 5;

/**
 * The fields, in their objects and lists: names of fields alone are two thirds of the whole list. Objects of
 * which one like it stands before do not list them again. The server itself checks every answer against the
 * whole schema.
 */
function onlyFields({ type, properties, items }: Schema, listed: ReadonlySet<string>[] = []): Schema {
  const holdsFields = properties !== undefined || (items as Schema | undefined)?.properties !== undefined;
  if (!holdsFields) return {};
  const names = Object.keys(properties ?? {});
  const isRepeated = (name: string) => listed.some((other) => other.has(name) && isLike(names, other));
  const others = Object.entries(properties ?? {}).filter(([name]) => !isRepeated(name));
  if (properties !== undefined) listed.push(new Set(names));
  return {
    ...(type !== undefined && { type }),
    ...(others.length > 0 && {
      properties: each(Object.fromEntries(others), (schema) => onlyFields(schema, listed)),
    }),
    ...(items !== undefined && { items: onlyFields(items as Schema, listed) }),
  };
}

/** Whether the names are those of an object before, or many of them. */
function isLike(names: readonly string[], other: ReadonlySet<string>): boolean {
  const repeated = names.filter((name) => other.has(name)).length;
  return repeated >= REPEATED_FIELDS || (repeated === other.size && repeated === names.length);
}

function each(
  properties: NonNullable<Schema['properties']>,
  shown: (schema: Schema) => Schema,
): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, shown(schema as Schema)]),
  );
}
