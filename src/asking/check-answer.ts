import type { z } from 'zod';
import type { Pieces } from '../main-thread/pieces.ts';

/** A longer list is checked this many elements at a time. */
const ELEMENTS_OF_PIECE = 100;

/**
 * Checks an answer against its fields, its long lists in parts: an element is checked alike wherever it
 * stands.
 *
 * @returns the answer with its fields in the schema's order
 * @throws ZodError
 */
export function* checkAnswer(output: z.ZodObject, result: object): Pieces<Readonly<Record<string, unknown>>> {
  const long = Object.entries(result).filter(
    (entry): entry is [string, unknown[]] =>
      entry[0] in output.shape && Array.isArray(entry[1]) && entry[1].length > ELEMENTS_OF_PIECE,
  );
  const checked = new Map<string, unknown[]>();
  for (const [key, list] of long) {
    const elements: unknown[] = [];
    const schema = output.shape[key] as z.ZodType<unknown[]>;
    for (let from = 0; from < list.length; from += ELEMENTS_OF_PIECE) {
      elements.push(...schema.parse(list.slice(from, from + ELEMENTS_OF_PIECE)));
      yield;
    }
    checked.set(key, elements);
  }
  const others = output.parse({ ...result, ...Object.fromEntries(long.map(([key]) => [key, []])) });
  return { ...others, ...Object.fromEntries(checked) };
}
