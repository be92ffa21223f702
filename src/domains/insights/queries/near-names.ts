import { editDistance } from '../../../text/edit-distance.ts';

const MOST_NEAR = 4;
/** This many characters of a name that does not exist are compared with those that exist. */
const LONGEST_COMPARED = 60;

/**
 * Finds the existing names that are like one that does not exist, by their words or letters. The nearest is
 * first.
 */
export function nearNames(name: string, names: readonly string[]): string[] {
  const words = wordsOf(name);
  return names
    .map((each) => ({
      each,
      shared: wordsOf(each).filter((word) => words.includes(word)).length / (wordsOf(each).length || 1),
      distance: editDistance(
        name.slice(0, LONGEST_COMPARED).toLowerCase(),
        each.slice(0, LONGEST_COMPARED).toLowerCase(),
      ),
    }))
    .filter(({ shared, distance }) => shared > 0 || distance <= 2)
    .toSorted((one, other) => one.distance - other.distance || other.shared - one.shared)
    .slice(0, MOST_NEAR)
    .map(({ each }) => each);
}

/** The words of a name or a question, without the ends of plurals. */
export function wordsOf(name: string): string[] {
  return name
    .slice(0, LONGEST_COMPARED)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/s$/, ''))
    .filter((word) => word !== '' && word !== 'count');
}
