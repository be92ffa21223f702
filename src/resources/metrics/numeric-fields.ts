import { z } from 'zod';
import type { Tool } from '../../tools/tool.ts';

/** A number that a tool answers with. */
export interface NumericField {
  readonly tool: Tool;
  /** Where it stands in the answer: `campaigns`, `open_rate`. */
  readonly path: readonly string[];
  readonly isNullable: boolean;
  /** As the output schema says it; undefined: it does not. */
  readonly description: string | undefined;
}

/** Every number of a tool's answers, in their order. */
export function numericFields(tool: Tool): NumericField[] {
  return numbersIn(tool.output, [], { description: undefined, isNullable: false }).map((field) => ({
    tool,
    ...field,
  }));
}

type Found = Omit<NumericField, 'tool'>;

/** @param known what stands around a number alone: a list of numbers, or null beside them */
function numbersIn(schema: z.ZodType, path: readonly string[], known: Omit<Found, 'path'>): Found[] {
  const description = schema.description ?? known.description;
  if (schema instanceof z.ZodNumber) return [{ path, ...known, description }];
  if (schema instanceof z.ZodNullable) {
    return numbersIn(schema.unwrap() as z.ZodType, path, { description, isNullable: true });
  }
  if (schema instanceof z.ZodArray) {
    return numbersIn(schema.element as z.ZodType, path, { ...known, description });
  }
  if (schema instanceof z.ZodUnion) {
    return schema.options.flatMap((option) =>
      numbersIn(option as z.ZodType, path, { ...known, description }),
    );
  }
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, field]) =>
      numbersIn(field as z.ZodType, [...path, name], { description: undefined, isNullable: false }),
    );
  }
  return [];
}
