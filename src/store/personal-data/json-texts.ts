import { isPersonalName } from '../../text/personal-names.ts';
import type { Mark, Passed } from './passed.ts';

/**
 * A JSON text whose texts and names passed. All else of it stays as it was written, also numbers that
 * JavaScript cannot hold. What is no JSON passes as a text, and is refused later.
 *
 * @param isOfPerson whether numbers may be phone numbers too, and fields that are called like a name, an
 *   address or a phone number are left out: no tool compares or shows them
 */
export function passJson(text: string, mark: Mark, isOfPerson: boolean): Passed {
  let hadPersonalData = false;
  const pass = (part: string) => {
    const passed = mark(part);
    hadPersonalData ||= passed.hadPersonalData;
    return passed.text;
  };
  const passValue = (value: unknown): unknown => {
    if (typeof value === 'string') return pass(value);
    if (Array.isArray(value)) return value.map(passValue);
    if (typeof value !== 'object' || value === null) return value;
    if (isRawNumber(value))
      return isOfPerson && mark(value.rawJSON).hadPersonalData ? pass(value.rawJSON) : value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, field]) => {
        if (!isOfPerson || !isPersonalName(name)) return [[pass(name), passValue(field)]];
        hadPersonalData = true;
        return [];
      }),
    );
  };
  const json = parseExactly(text);
  if (json === undefined) return mark(text);
  const passed = JSON.stringify(passValue(json));
  return { text: hadPersonalData ? passed : text, hadPersonalData };
}

interface RawNumber {
  readonly rawJSON: string;
}

/**
 * JSON with each number as it was written; undefined if the text is not JSON. In Node since 22; TypeScript
 * has no types yet.
 */
function parseExactly(text: string): unknown {
  const { parse, rawJSON } = JSON as unknown as {
    parse(
      text: string,
      reviver: (name: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
    rawJSON(source: string): RawNumber;
  };
  try {
    return parse(text, (_, value, { source }) =>
      typeof value === 'number' ? rawJSON(source ?? String(value)) : value,
    );
  } catch {
    return undefined;
  }
}

function isRawNumber(value: object): value is RawNumber {
  return (JSON as unknown as { isRawJSON(value: object): boolean }).isRawJSON(value);
}
