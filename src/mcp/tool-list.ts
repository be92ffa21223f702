import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Tool } from '../answers/tool.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/**
 * `tools/list` as clients see it. Schemas are converted once, when the program starts.
 *
 * Hosts load it whole before the first question, so it says everything once: an input schema describes its arguments,
 * an output schema tells fields and types. What the fields mean is in `analytics://metrics` and in docs/tools.
 */
export function listTools(tools: readonly Tool[]): ListedTool[] {
  return tools.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: convert(tool.input, 'input') as ListedTool['inputSchema'],
    outputSchema: onlyTypes(convert(tool.output, 'output')) as NonNullable<ListedTool['outputSchema']>,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  }));
}

/** JSON Schema 2020-12 without references. */
function convert(schema: z.ZodObject, io: 'input' | 'output'): Schema {
  const { $schema: _dialect, ...converted } = z.toJSONSchema(schema, {
    io,
    reused: 'inline',
    override: ({ jsonSchema: node }) => {
      // The bounds of exactly representable integers say nothing to a reader.
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
      // Where the format has a name, its pattern is only long.
      if (node.format !== undefined) delete node.pattern;
      joinNull(node);
      // What may be null may be left out, and how long a list may be is said when it is too long.
      if (node.default === null) delete node.default;
      delete node.maxItems;
    },
  });
  return converted;
}

/**
 * What can be null says so beside its type, which is shorter than a choice of two. Only a fixed value would forbid null
 * then; all other bounds are about their own type.
 */
function joinNull(node: Schema): void {
  const [schema, or, ...others] = node.anyOf ?? [];
  const isNullable =
    or !== undefined && Object.keys(or).length === 1 && or.type === 'null' && others.length === 0;
  if (!isNullable || typeof schema?.type !== 'string' || 'enum' in schema || 'const' in schema) return;
  delete node.anyOf;
  const own = { ...node };
  Object.assign(node, schema, own, { type: [schema.type, 'null'] });
}

/**
 * The fields, and the types of all that are not numbers: two in three are, and to say so would be a sixth of the whole
 * list. The server itself checks every answer against the whole schema.
 */
function onlyTypes({ type, properties, items, anyOf }: Schema): Schema {
  if (['number', 'integer'].includes(String([type].flat()[0]))) return {};
  return {
    ...(type !== undefined && { type }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, schema]) => [name, onlyTypes(schema as Schema)]),
      ),
    }),
    ...(items !== undefined && { items: onlyTypes(items as Schema) }),
    ...(anyOf !== undefined && { anyOf: anyOf.map((schema) => onlyTypes(schema as Schema)) }),
  };
}
