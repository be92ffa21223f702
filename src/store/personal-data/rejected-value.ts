import { counted } from '../../text/counted.ts';
import type { PersonalDataGate } from './gate.ts';
import { readable } from './written-forms.ts';

/** As much of a value as helps to find the mistake. */
const MOST_CHARACTERS = 200;
const MOST_SHAPE = 40;

/**
 * A bad cell for the rejects file. Its text, where nothing in its row is personal; else what kind of text it is, with the
 * places of what was found in it or its shape: `text of 14 characters, e-mail at 3`, `text of 5 characters like 99,99`.
 *
 * @param row all cells of the row; empty where one of them is an e-mail address or a phone number by its column
 */
export function rejectedValue(gate: PersonalDataGate, value: string, row: string): string {
  if (row !== '' && isImpersonal(gate, row) && isImpersonal(gate, value))
    return value.slice(0, MOST_CHARACTERS);
  const length = [...value].length;
  const findings = gate
    .find(value)
    .map(({ kind, start }) => `${kind} at ${[...value.slice(0, start)].length + 1}`);
  const described = `text of ${counted(length, 'character', 'characters')}`;
  return findings.length > 0 ? `${described}, ${findings.join(', ')}` : `${described} like ${shapeOf(value)}`;
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
