import { InputError } from '../../../errors.ts';
import { MOST_CHARACTERS, MOST_LEVELS, readStoredJson } from '../../../text/stored-json.ts';
import { withoutNulls } from '../../../text/without-nulls.ts';
import { conditionsOf, parseSegmentQuery, type SegmentQuery } from '../definitions/parse.ts';
import { refuseLookUps } from './refuse-look-ups.ts';

/** More blocks than anybody writes. Each costs a scan of a table, and one bit of a bit mask. */
export const MOST_BLOCKS = 40;
export const MOST_SEGMENTS = 40;

/**
 * Reads a query that is to be evaluated: nothing in it may be unknown, since who meets such a condition is
 * unknown too.
 *
 * @param given an object, or the same as JSON
 * @param path of the argument, in front of the query's own paths
 * @throws InputError that names the path of what cannot be evaluated
 */
export function readAskedQuery(given: object | string, path: string): SegmentQuery {
  const json = typeof given === 'string' ? given : writtenOrNull(given);
  const read = readStoredJson(json);
  if (read === undefined && !isNoJson(given)) {
    throw new InputError(
      `${path}segments: at most ${MOST_CHARACTERS} characters and ${MOST_LEVELS} levels are allowed`,
    );
  }
  const query = typeof given === 'string' ? read : given;
  if (typeof query !== 'object' || query === null || Array.isArray(query))
    throw new InputError(
      `${path === '' ? 'segment_query' : path.slice(0, -1)}: must be an object with segments`,
    );
  // They are gone already where the query came as an object.
  const parsed = parseSegmentQuery(typeof given === 'string' ? withoutNulls(query as Fields) : query);
  refuseProblems(parsed, path);
  refuseLookUps(parsed, path);
  return parsed;
}

type Fields = Readonly<Record<string, unknown>>;

/** Whether a text of usual length is not JSON, or says nothing. */
function isNoJson(given: object | string): boolean {
  if (typeof given !== 'string' || given.length > MOST_CHARACTERS) return false;
  try {
    JSON.parse(given);
    return false;
  } catch {
    return true;
  }
}

/** @throws InputError with the first thing that is wrong; the next ones are beside it */
export function refuseProblems({ segments, problems, allowed }: SegmentQuery, path: string): void {
  const [first, ...others] = problems.map((problem) => `${path}${problem}`);
  if (first !== undefined) {
    const known = allowed === null ? [] : [`Allowed: ${allowed}.`];
    const next = others.length === 0 ? HINT : `Also: ${others.slice(0, 5).join('; ')}.`;
    throw new InputError(first, [...known, next].join(' '));
  }
  if (segments.length > MOST_SEGMENTS) {
    throw new InputError(`${path}segments: at most ${MOST_SEGMENTS} elements are allowed`);
  }
}

const HINT = 'What conditions can say: segmentation://conditions.';

/** @throws InputError when there are too many blocks for one statement */
export function refuseTooManyBlocks(queries: readonly SegmentQuery[]): void {
  const count = queries.reduce((sum, query) => sum + conditionsOf(query).length, 0);
  if (count <= MOST_BLOCKS) return;
  throw new InputError(
    `segment_query: at most ${MOST_BLOCKS} targetingBlocks are allowed, with those of exclude_segment_query and of the ` +
      `saved segments that are named; these are ${count}`,
    'Ask for parts of the query.',
  );
}

/** Null where it lies so deep that it cannot be written. */
function writtenOrNull(query: object): string | null {
  try {
    return JSON.stringify(query);
  } catch {
    return null;
  }
}
