import { type Field, NOTHING_TO_DIVIDE_BY } from '../../answers/fields/field.ts';
import type { Unit } from '../../answers/fields/units.ts';
import { HIDDEN } from '../../answers/small-groups.ts';
import type { Tool } from '../../answers/tool.ts';

/** A number that a tool answers with. */
export interface NumericField {
  readonly tool: Tool;
  /** Where it stands in the answer: `campaigns`, `open_rate`. */
  readonly path: readonly string[];
  readonly isNullable: boolean;
  /** Without full stop; with what null means, unless that is nothing to divide by. */
  readonly definition: string;
  readonly unit: Unit;
}

/** Every number of a tool's answers, in their order. */
export function numericFields(tool: Tool): NumericField[] {
  return numbersIn(tool.fields, []).map((found) => ({ tool, ...found }));
}

type Found = Omit<NumericField, 'tool'>;

function numbersIn(fields: readonly Field[], above: readonly string[]): Found[] {
  return fields.flatMap((field) => {
    const path = [...above, field.key];
    if (field.unit !== undefined) {
      const told = { ...field, null: nullOf(field) };
      return [
        { path, isNullable: told.null !== undefined, definition: definitionOf(told), unit: field.unit },
      ];
    }
    return [field.fields ?? [], ...(field.either ?? [])].flatMap((inner) => numbersIn(inner, path));
  });
}

/** Any number of a row with `is_hidden` can be hidden, which is said once. */
function nullOf({ null: meaning }: Field): string | undefined {
  return meaning === HIDDEN ? undefined : meaning?.replace(`, or ${HIDDEN}`, '');
}

function definitionOf({
  definition,
  null: meaning,
}: Pick<Field, 'definition'> & { null: string | undefined }): string {
  const told = definition.replace(/\.$/, '');
  return meaning === undefined || meaning === NOTHING_TO_DIVIDE_BY ? told : `${told}; null: ${meaning}`;
}
