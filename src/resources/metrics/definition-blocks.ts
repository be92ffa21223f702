import { UNITS } from '../../answers/fields/units.ts';
import type { Tool } from '../../answers/tool.ts';
import { type NumericField, numericFields } from './numeric-fields.ts';
import { MANY_TOPICS, TOPIC_OF_GROUP, type Topic } from './topics.ts';

/** Numbers that the same answers have. */
export interface DefinitionBlock {
  /** `email_link_statistics`, or of a part of its answer `get_campaign_statistics.email`. */
  readonly answers: readonly string[];
  readonly lines: readonly DefinitionLine[];
}

interface DefinitionLine {
  /** `open_rate?`: can be null. */
  readonly labels: readonly string[];
  readonly definition: string;
  /** Null of counts: the definition says what is counted. */
  readonly shownUnit: string | null;
}

/** The same number, wherever it stands: fields of one name with one definition. */
interface SameNumber {
  readonly name: string;
  readonly fields: readonly NumericField[];
}

/**
 * The numbers of the tools, each defined once: by topic, within it by the answers that have them, in the order in which
 * they first occur.
 */
export function definitionBlocks(tools: readonly Tool[]): Map<Topic, DefinitionBlock[]> {
  const fields = Map.groupBy(tools.flatMap(numericFields), topicOf(tools));
  return new Map([...fields].map(([topic, ofTopic]) => [topic, blocksOf(sameNumbers(ofTopic))]));
}

const MANY = 4;

function topicOf(tools: readonly Tool[]) {
  const topics = new Map<string, Set<Topic>>();
  for (const field of tools.flatMap(numericFields)) {
    const identity = identityOf(field);
    topics.set(identity, (topics.get(identity) ?? new Set()).add(TOPIC_OF_GROUP[field.tool.group]));
  }
  return (field: NumericField) =>
    (topics.get(identityOf(field))?.size ?? 0) < MANY ? TOPIC_OF_GROUP[field.tool.group] : MANY_TOPICS;
}

function sameNumbers(fields: readonly NumericField[]): SameNumber[] {
  return [...Map.groupBy(fields, identityOf).values()].map((same) => ({
    name: nameOf(same[0] as NumericField),
    fields: same,
  }));
}

function blocksOf(numbers: readonly SameNumber[]): DefinitionBlock[] {
  const isPart = partsOfAnswers(numbers);
  const answersOf = ({ fields }: SameNumber) => [
    ...new Set(fields.map((field) => (isPart(field) ? partOf(field) : field.tool.name))),
  ];
  return [...Map.groupBy(numbers, (number) => answersOf(number).join()).values()].map((block) => ({
    answers: answersOf(block[0] as SameNumber),
    lines: linesOf(block, numbers, answersOf),
  }));
}

/**
 * Parts of an answer that are told apart from the rest of it: they have a number in common with other tools that means
 * something else elsewhere in the same answer, as what was sent by e-mail and by SMS.
 */
function partsOfAnswers(numbers: readonly SameNumber[]): (field: NumericField) => boolean {
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
  block: readonly SameNumber[],
  numbers: readonly SameNumber[],
  answersOf: (number: SameNumber) => readonly string[],
): DefinitionLine[] {
  const described = block.map((number) => {
    const [{ definition, unit, isNullable }] = number.fields as [NumericField];
    const answers = answersOf(number);
    const isAlone = !numbers.some(
      (other) =>
        other !== number &&
        other.name === number.name &&
        answersOf(other).some((answer) => answers.includes(answer)),
    );
    const label = `${isAlone ? number.name : placedName(number)}${isNullable ? '?' : ''}`;
    return { label, definition, shownUnit: UNITS[unit] === 'count' ? null : unit };
  });
  const lines = Map.groupBy(described, ({ definition, shownUnit }) =>
    JSON.stringify([definition, shownUnit]),
  );
  return [...lines.values()].map((same) => {
    const [{ definition, shownUnit }] = same as [(typeof described)[number]];
    return { labels: same.map(({ label }) => label), definition, shownUnit };
  });
}

/** Where it stands is told of the others of its name then. */
const MOST_PLACES = 2;

/** `links.delivered_count`: there are others of the name in the same answer. */
function placedName({ name, fields }: SameNumber): string {
  const places = [...new Set(fields.map(placeOf))];
  return places.includes('') || places.length > MOST_PLACES ? name : `${places.join('/')}.${name}`;
}

function identityOf({ path, isNullable, definition, unit }: NumericField): string {
  return JSON.stringify([path.at(-1), isNullable, definition, unit]);
}

function nameOf({ path }: NumericField): string {
  return path.at(-1) ?? '';
}

/** The list or object that it stands in; empty: the answer itself. */
function placeOf({ path }: NumericField): string {
  return path.at(-2) ?? '';
}

function partOf(field: NumericField): string {
  return `${field.tool.name}.${placeOf(field)}`;
}
