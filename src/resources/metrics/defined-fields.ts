import {
  type Field,
  HIDDEN,
  NO_RATE,
  NONE_LOADED,
  NOTHING_TO_DIVIDE_BY,
} from '../../answers/fields/field.ts';
import type { Unit } from '../../answers/fields/units.ts';
import type { Tool } from '../../answers/tool.ts';

/** A value that a tool answers with. */
export interface DefinedField {
  readonly tool: Tool;
  /** The path of the field in the answer: `campaigns`, `open_rate`. */
  readonly path: readonly string[];
  readonly isNullable: boolean;
  /**
   * The definition without a full stop, with the values of a choice, and with what null means, unless that is
   * what is said of all.
   */
  readonly definition: string;
  /** It is null when there is no number. */
  readonly unit: Unit | null;
}

/** Every number of a tool's answers, in their order, but for those whose name says all. */
export function numbersOf(tool: Tool): DefinedField[] {
  return definedIn(tool, tool.fields, []).filter(
    ({ unit, definition }) => unit !== null && !NAME_SAYS_ALL.test(definition),
  );
}

/** Definitions that tell no more than the name of their field does, or that it is what the caller passed. */
const NAME_SAYS_ALL =
  /^(Business data|In UTC|As (named|loaded|set up|other tools take it)|(.*, )?as asked)(: .*)?(; null: .*)?$/i;

/** Every flag, choice and text of a tool's answers, but for those whose name says all. */
export function wordsOf(tool: Tool): DefinedField[] {
  return definedIn(tool, tool.fields, []).filter(
    ({ unit, definition }) => unit === null && !NAME_SAYS_ALL.test(definition),
  );
}

function definedIn(tool: Tool, fields: readonly Field[], above: readonly string[]): DefinedField[] {
  return fields.flatMap((field) => {
    const path = [...above, field.key];
    const inner = [field.fields ?? [], ...(field.either ?? [])];
    if (field.fields !== undefined || field.either !== undefined) {
      return inner.flatMap((fields) => definedIn(tool, fields, path));
    }
    const means = nullOf(field);
    const definition = definitionOf(field, means);
    return [{ tool, path, isNullable: means !== undefined, definition, unit: field.unit ?? null }];
  });
}

/** Any number of a row with `is_hidden` can be hidden, which is said once. */
function nullOf({ null: meaning }: Field): string | undefined {
  return meaning === HIDDEN || meaning === NO_RATE ? undefined : meaning?.replace(`, or ${HIDDEN}`, '');
}

function definitionOf({ definition, values }: Field, means: string | undefined): string {
  // This is said of all texts together.
  const told = definition.replace(/(?<=.)( Business data)?\.$/, '').replace(/\.$/, '');
  const isEachTold = values?.every((value) => told.includes(value)) ?? true;
  const chosen = isEachTold ? told : `${told}: ${values?.join(', ')}`;
  return means === undefined || means === NOTHING_TO_DIVIDE_BY || means === NONE_LOADED
    ? chosen
    : `${chosen}; null: ${means}`;
}
