import type { Tool as ListedTool } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Tool } from '../tools/tool.ts';

/** `tools/list` as clients see it. Schemas are converted once, when the program starts. */
export function listTools(tools: readonly Tool[]): ListedTool[] {
  return tools.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: jsonSchema(tool.input, 'input') as ListedTool['inputSchema'],
    outputSchema: jsonSchema(tool.output, 'output') as NonNullable<ListedTool['outputSchema']>,
    annotations: {
      title: tool.title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }));
}

/** JSON Schema 2020-12 without references. */
function jsonSchema(schema: z.ZodObject, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _dialect, ...converted } = z.toJSONSchema(schema, {
    io,
    reused: 'inline',
    override: ({ jsonSchema: node }) => {
      // The bounds of exactly representable integers say nothing to a reader.
      if (node.minimum === Number.MIN_SAFE_INTEGER) delete node.minimum;
      if (node.maximum === Number.MAX_SAFE_INTEGER) delete node.maximum;
      // Where the format has a name, its pattern is only long.
      if (node.format !== undefined) delete node.pattern;
      // Every declared field is in every answer; to list their names once more is an eighth of the whole list.
      if (io === 'output') {
        delete node.required;
        joinNull(node);
      }
    },
  });
  return converted;
}

/**
 * What can be null says so beside its type, which is shorter than a choice of two. Only a fixed value would forbid null
 * then; all other bounds are about their own type.
 */
function joinNull(node: z.core.JSONSchema.BaseSchema): void {
  const [schema, or, ...others] = node.anyOf ?? [];
  const isNullable =
    or !== undefined && Object.keys(or).length === 1 && or.type === 'null' && others.length === 0;
  if (!isNullable || typeof schema?.type !== 'string' || 'enum' in schema || 'const' in schema) return;
  delete node.anyOf;
  const own = { ...node };
  Object.assign(node, schema, own, { type: [schema.type, 'null'] });
}
