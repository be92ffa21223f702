import { z } from 'zod';
import type { Tool } from '../src/answers/tool.ts';
import type { Arguments } from '../src/asking/run-tool.ts';

/** The arguments, and once more with each value of each choice that the tool has. */
export function variants(tool: Tool, base: Arguments): Arguments[] {
  const { properties = {} } = z.toJSONSchema(tool.input, { io: 'input' });
  const choices = Object.entries(properties).flatMap(([name, property]) => {
    const values = typeof property === 'object' ? enumeration(property) : [];
    return values.map((value) => ({ ...base, [name]: value }));
  });
  return [base, ...choices];
}

function enumeration(property: z.core.JSONSchema.BaseSchema): readonly unknown[] {
  if (property.type === 'boolean') return [true, false];
  return (
    property.enum ??
    (property.anyOf ?? []).flatMap((option) => (typeof option === 'object' ? enumeration(option) : []))
  );
}
