import { UNITS } from '../../answers/fields/units.ts';
import type { ToolGroup } from '../../business/tool-groups.ts';
import type { DefinedField } from './defined-fields.ts';
import { MANY_TOPICS, TOPIC_OF_GROUP, TOPICS, type Topic } from './topics.ts';

/** Values that the same answers have. */
export interface DefinitionBlock {
  /** `email_link_statistics`, or of a part of its answer `get_campaign_statistics.email`. */
  readonly answers: readonly string[];
  readonly lines: readonly DefinitionLine[];
}

interface DefinitionLine {
  /** `open_rate?`: can be null. */
  readonly labels: readonly string[];
  readonly definition: string;
  /**
   * Null of counts, whose definition says what is counted, of what is no number, and where labels have units.
   */
  readonly shownUnit: string | null;
}

/** The same value, wherever it stands: fields of one name with one definition. */
interface SameValue {
  readonly name: string;
  readonly fields: readonly DefinedField[];
}

/**
 * Values of tools, each defined once: by topic, within it by the answers that have them, in the order in
 * which they first occur.
 */
export function definitionBlocks(fields: readonly DefinedField[]): Map<Topic, DefinitionBlock[]> {
  const byTopic = Map.groupBy(fields, topicOf(fields));
  return new Map([...byTopic].map(([topic, ofTopic]) => [topic, blocksOf(sameValues(ofTopic))]));
}

const MANY = 4;

function topicOf(fields: readonly DefinedField[]) {
  const topics = new Map<string, Set<Topic>>();
  const valuesOf = new Map<string, Set<string>>();
  for (const field of fields) {
    const identity = identityOf(field);
    valuesOf.set(valueName(field), (valuesOf.get(valueName(field)) ?? new Set()).add(identity));
    topics.set(identity, (topics.get(identity) ?? new Set()).add(ownTopic(field)));
  }
  return (field: DefinedField) => {
    const all = [...(topics.get(identityOf(field)) ?? [])];
    if (all.length >= MANY) return MANY_TOPICS;
    const own = ownTopic(field);
    // What is counted alike of the same rows is defined once, unless the answer has another value of the name
    // to tell it apart from.
    const isAlone = (valuesOf.get(valueName(field))?.size ?? 0) === 1;
    return (isAlone ? all.find((other) => isOfSameRows(other, own)) : undefined) ?? own;
  };
}

/** The name of a value in the answers of one tool. */
function valueName(field: DefinedField): string {
  return `${field.tool.name} ${nameOf(field)}`;
}

function isOfSameRows(one: Topic, other: Topic): boolean {
  return TOPICS[one].basis === TOPICS[other].basis && TOPICS[one].uri === TOPICS[other].uri;
}

/** Forecasts are told alike whatever they are of, so they are defined once, with those of orders. */
function ownTopic({ path, tool }: DefinedField): Topic {
  return path.includes('forecast') && path.length > 1 ? 'Orders' : TOPIC_OF_GROUP[tool.group as ToolGroup];
}

function sameValues(fields: readonly DefinedField[]): SameValue[] {
  return [...Map.groupBy(fields, identityOf).values()].map((same) => ({
    name: nameOf(same[0] as DefinedField),
    fields: same,
  }));
}

function blocksOf(numbers: readonly SameValue[]): DefinitionBlock[] {
  const isPart = partsOfAnswers(numbers);
  const answersOf = ({ fields }: SameValue) => [
    ...new Set(fields.map((field) => (isPart(field) ? partOf(field) : field.tool.name))),
  ];
  return [...Map.groupBy(numbers, (number) => answersOf(number).join()).values()].map((block) => ({
    answers: answersOf(block[0] as SameValue),
    lines: linesOf(block, numbers, answersOf),
  }));
}

/**
 * Parts of an answer that are told apart from the rest of it: they have a number in common with other tools
 * that means something else elsewhere in the same answer, as what was sent by e-mail and by SMS.
 */
function partsOfAnswers(numbers: readonly SameValue[]): (field: DefinedField) => boolean {
  const parts = new Set(
    numbers
      .filter(({ fields }) => new Set(fields.map(({ tool }) => tool)).size > 1)
      .flatMap(({ name, fields }) =>
        fields.filter((field) =>
          numbers.some(
            (other) =>
              other.name === name &&
              other.fields !== fields &&
              other.fields.some(({ tool }) => tool === field.tool),
          ),
        ),
      )
      .filter((field) => placeOf(field) !== '')
      .map(partOf),
  );
  return (field) => parts.has(partOf(field));
}

function linesOf(
  block: readonly SameValue[],
  numbers: readonly SameValue[],
  answersOf: (number: SameValue) => readonly string[],
): DefinitionLine[] {
  const described = block.map((number) => {
    const [{ definition, unit, isNullable }] = number.fields as [DefinedField];
    const answers = answersOf(number);
    const isAlone = !numbers.some(
      (other) =>
        other !== number &&
        other.name === number.name &&
        answersOf(other).some((answer) => answers.includes(answer)),
    );
    const label = `${isAlone ? number.name : placedName(number)}${isNullable ? '?' : ''}`;
    return { label, definition, shownUnit: unit === null || UNITS[unit] === 'count' ? null : unit };
  });
  return [...Map.groupBy(described, ({ definition }) => ofEitherEnd(definition))].map(
    ([definition, same]) => {
      const units = new Set(same.map(({ shownUnit }) => shownUnit));
      // Where there are several units, each stands beside the name.
      const labels = same.map(({ label, shownUnit }) =>
        units.size === 1 || shownUnit === null ? label : `${label} [${shownUnit}]`,
      );
      const [{ shownUnit }] = same as [(typeof described)[number]];
      return { labels, definition, shownUnit: units.size === 1 ? shownUnit : null };
    },
  );
}

/** The ends of an interval stand in one line: which of them it is, their names say. */
function ofEitherEnd(definition: string): string {
  return definition.replace(/^(Low|High) end of/, 'End of');
}

/** When a name stands in more places than this, only its other definitions say where they stand. */
const MOST_PLACES = 2;

/** `links.delivered_count`: there are others of the name in the same answer. */
function placedName({ name, fields }: SameValue): string {
  const places = [...new Set(fields.map(placeOf))];
  return places.includes('') || places.length > MOST_PLACES ? name : `${places.join('/')}.${name}`;
}

function identityOf({ path, isNullable, definition, unit }: DefinedField): string {
  return JSON.stringify([path.at(-1), isNullable, definition, unit]);
}

function nameOf({ path }: DefinedField): string {
  return path.at(-1) ?? '';
}

/** The list or object that it stands in; empty: the answer itself. */
function placeOf({ path }: DefinedField): string {
  return path.at(-2) ?? '';
}

function partOf(field: DefinedField): string {
  return `${field.tool.name}.${placeOf(field)}`;
}
