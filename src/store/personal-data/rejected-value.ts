import { plural } from '../../text/plural.ts';
import type { Finding, PersonalDataGate } from './gate.ts';
import { readable } from './written-forms.ts';

/** The text shows as much of a value as helps to find the mistake. */
const MOST_CHARACTERS = 200;
const MOST_SHAPE = 40;
/** A list of thousands of addresses is not read, place by place. */
const MOST_FINDINGS = 20;

/**
 * A bad cell for the rejects file. Its text, where nothing in its row is personal; else what kind of text it
 * is, with the places of what was found in it, the first of them, or its shape:
 * `text of 14 characters, e-mail at 3`, `text of 5 characters like 99,99`.
 *
 * @param row all cells of the row; empty where one of them is an e-mail address or a phone number by its
 *   column
 */
export function rejectedValue(gate: PersonalDataGate, value: string, row: string): string {
  if (row !== '' && isImpersonal(gate, row) && isImpersonal(gate, value))
    return value.slice(0, MOST_CHARACTERS);
  const described = `text of ${plural(charactersOf(value), 'character', 'characters')}`;
  const findings = gate.find(value);
  if (findings.length === 0) return `${described} like ${shapeOf(value)}`;
  const more = findings.length > MOST_FINDINGS ? `, and ${findings.length - MOST_FINDINGS} more` : '';
  return `${described}, ${placesOf(value, findings.slice(0, MOST_FINDINGS)).join(', ')}${more}`;
}

function charactersOf(text: string): number {
  return text.length - (text.match(PAIRS)?.length ?? 0);
}

/** Pairs of UTF-16 units, which are one character. */
const PAIRS = /[\ud800-\udbff][\udc00-\udfff]/g;

/** The findings, each as `e-mail at 3`. Places are counted in characters. */
function placesOf(value: string, findings: readonly Finding[]): string[] {
  let [characters, position] = [0, 0];
  return findings.map(({ kind, start }) => {
    characters += charactersOf(value.slice(position, start));
    position = start;
    return `${kind} at ${characters + 1}`;
  });
}

function isImpersonal(gate: PersonalDataGate, text: string): boolean {
  return gate.find(text).length === 0;
}

/** `Jana 12,50` is like `Aaaa 99,99`. */
function shapeOf(value: string): string {
  return readable(value)
    .text.replace(/\p{Lu}/gu, 'A')
    .replace(/\p{L}/gu, (letter) => (letter === 'A' ? 'A' : 'a'))
    .replace(/\p{N}/gu, '9')
    .slice(0, MOST_SHAPE);
}
