import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Field } from '../../src/answers/fields/field.ts';
import type { Tool } from '../../src/answers/tool.ts';

type Schema = z.core.JSONSchema.BaseSchema;

/** An argument or a field, as far as who calls a tool relies on it. */
export interface Part {
  /** `number`, `list of object or null`; of a field with its unit. */
  readonly kind: string;
  /** All values that it can have, where they are few. */
  readonly values?: readonly string[];
  readonly required?: true;
  /** A hash of the text that defines the field, so that a change of its meaning is seen. */
  readonly meaning: string;
}

interface ToolSurface {
  readonly meaning: string;
  /** The arguments by their path, such as `filter_metrics[].metric`. */
  readonly arguments: Readonly<Record<string, Part>>;
  readonly fields: Readonly<Record<string, Part>>;
}

/** What clients rely on of one version: `docs/releases/<version>.json`. */
export type Surface = Readonly<Record<string, ToolSurface>>;

export function surfaceOf(tools: readonly Tool[]): Surface {
  return Object.fromEntries(
    tools.map(({ name, description, input, fields }) => [
      name,
      {
        meaning: hashOf(description),
        arguments: Object.fromEntries(
          argumentParts(z.toJSONSchema(input, { io: 'input', reused: 'inline' }), ''),
        ),
        fields: Object.fromEntries(fieldParts(fields, '')),
      },
    ]),
  );
}

function argumentParts({ properties = {}, required = [] }: Schema, path: string): [string, Part][] {
  return Object.entries(properties).flatMap(([name, given]): [string, Part][] => {
    const schema = given as Schema;
    const single = withoutNull(schema);
    const inner = single.type === 'array' ? withoutNull(single.items as Schema) : single;
    const here = `${path}${name}`;
    const values = inner.enum?.map(String);
    return [
      [
        here,
        {
          kind: `${kindOf(single)}${isNullable(schema) ? ' or null' : ''}${schema.default === undefined ? '' : ` = ${JSON.stringify(schema.default)}`}`,
          ...(values !== undefined && { values }),
          ...(required.includes(name) && { required: true }),
          meaning: hashOf(schema.description ?? ''),
        },
      ],
      ...argumentParts(inner, `${here}${inner === single ? '' : '[]'}.`),
    ];
  });
}

function kindOf(schema: Schema): string {
  if (schema.type === 'array') return `list of ${kindOf(withoutNull(schema.items as Schema))}`;
  const types = [schema.type ?? 'any'].flat().filter((type) => type !== 'null');
  return schema.format ?? types.join(' or ');
}

function withoutNull(schema: Schema): Schema {
  return (schema.anyOf?.find((one) => (one as Schema).type !== 'null') as Schema | undefined) ?? schema;
}

function isNullable(schema: Schema): boolean {
  return withoutNull(schema) !== schema || [schema.type].flat().includes('null');
}

function fieldParts(fields: readonly Field[], path: string): [string, Part][] {
  return fields.flatMap((field): [string, Part][] => {
    const { key, type, of, unit, values, definition, null: isNull } = field;
    const here = `${path}${key}`;
    return [
      [
        here,
        {
          kind: `${type === 'list' ? `list of ${of ?? 'object'}` : type}${isNull === undefined ? '' : ' or null'}${unit === undefined ? '' : `, ${unit}`}`,
          ...(values !== undefined && { values: values.map(String) }),
          meaning: hashOf(`${definition} ${isNull ?? ''}`),
        },
      ],
      ...fieldParts(field.fields ?? field.either?.flat() ?? [], `${here}${type === 'list' ? '[]' : ''}.`),
    ];
  });
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/** What differs between two versions, as sentences. */
export interface Differences {
  /** What a client that relied on the version before can stumble over. */
  readonly breaking: readonly string[];
  readonly added: readonly string[];
  /** The same name means, or is described as, something else. */
  readonly meaning: readonly string[];
  /** Tools, and arguments and fields as `tool.name`, that are gone. */
  readonly removed: readonly string[];
}

export function differences(before: Surface, after: Surface): Differences {
  const found = {
    breaking: [] as string[],
    added: [] as string[],
    meaning: [] as string[],
    removed: [] as string[],
  };
  for (const [tool, was] of Object.entries(before)) {
    const is = after[tool];
    if (is === undefined) {
      found.removed.push(tool);
      found.breaking.push(`\`${tool}\` is removed`);
      continue;
    }
    if (was.meaning !== is.meaning) found.meaning.push(`\`${tool}\``);
    compare(tool, 'argument', was.arguments, is.arguments, found);
    compare(tool, 'field', was.fields, is.fields, found);
  }
  for (const tool of Object.keys(after))
    if (before[tool] === undefined) found.added.push(`\`${tool}\`, a tool`);
  return found;
}

function compare(
  tool: string,
  what: 'argument' | 'field',
  before: Readonly<Record<string, Part>>,
  after: Readonly<Record<string, Part>>,
  found: { breaking: string[]; added: string[]; meaning: string[]; removed: string[] },
): void {
  for (const [path, was] of Object.entries(before)) {
    const is = after[path];
    const name = `the ${what} \`${path}\` of \`${tool}\``;
    if (is === undefined) {
      found.removed.push(`${tool}.${path}`);
      found.breaking.push(`${name} is removed`);
      continue;
    }
    if (was.kind !== is.kind) found.breaking.push(`${name} was ${was.kind}, and is ${is.kind}`);
    if (is.required && !was.required) found.breaking.push(`${name} is required now`);
    // An argument that takes less, or a field that can be what nobody expected.
    const [from = [], to = []] = what === 'argument' ? [was.values, is.values] : [is.values, was.values];
    const lost = from.filter((value) => !to.includes(value));
    if (lost.length > 0 && was.values !== undefined)
      found.breaking.push(
        `${name} ${what === 'argument' ? 'no longer takes' : 'can also be'} ${lost.join(', ')}`,
      );
    if (was.meaning !== is.meaning) found.meaning.push(`${name}`);
  }
  for (const [path, is] of Object.entries(after)) {
    if (before[path] !== undefined) continue;
    const name = `the ${what} \`${path}\` of \`${tool}\``;
    if (is.required && !path.includes('.')) found.breaking.push(`${name} is new and required`);
    else found.added.push(name);
  }
}
