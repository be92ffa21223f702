import type { Arguments } from '../answers/tool.ts';
import { InputError } from '../errors.ts';
import { quoted } from '../text/business-text.ts';
import { editDistance } from '../text/edit-distance.ts';

/** More are no mistake of a client: they are refused before anything is compared. */
const MOST_UNKNOWN = 20;
/** A note or an error names at most this many of them. */
const NAMED = 5;
/**
 * This many characters of a name that does not exist are compared with names that exist: the longest of these
 * has 36.
 */
const LONGEST_COMPARED = 64;

export interface KnownArguments {
  readonly args: Arguments;
  /** What the caller should know of the others. */
  readonly notes: readonly string[];
}

/** How names begin that ask for something, whatever it is. */
const ASKS = /^(filter|exclude|include|min|max|only|sort)[_-]/i;

/**
 * The arguments that exist. Clients add some of their own, which are left out, with a note. But a name that
 * is nearly that of an argument, that other tools have, or that asks for a filter is an error, since an
 * answer without it would be the answer to another question.
 *
 * @param names of the tool's arguments
 * @param elsewhere of those that any tool has
 * @throws InputError for such a name, or too many that do not exist
 */
export function knownArguments(
  given: Arguments,
  names: readonly string[],
  elsewhere: ReadonlySet<string>,
): KnownArguments {
  const known = new Set(names);
  const unknown = Object.keys(given).filter((name) => !known.has(name) && given[name] !== null);
  if (unknown.length > MOST_UNKNOWN)
    throw new InputError(
      `${unknown.length} arguments do not exist, such as ${listed(unknown)}; at most ${MOST_UNKNOWN} are ignored. ${allowed(names)}`,
    );
  for (const name of unknown) {
    const [meant, ...others] = nearestNames(name, names);
    if (meant === undefined && (elsewhere.has(name) || ASKS.test(name)))
      throw new InputError(`unknown argument ${shown(name)}: this tool does not have it. ${allowed(names)}`);
    if (meant !== undefined)
      throw new InputError(
        `unknown argument ${shown(name)}: is ${[meant, ...others].join(' or ')} meant? ${allowed(names)}`,
      );
  }
  const args = Object.fromEntries(Object.entries(given).filter(([name]) => known.has(name)));
  if (unknown.length === 0) return { args, notes: [] };
  const are = unknown.length === 1 ? 'It is no argument' : 'They are no arguments';
  const note = `Ignored: ${listed(unknown)}. ${are} of this tool. ${allowed(names)}`;
  return { args, notes: [note] };
}

function allowed(names: readonly string[]): string {
  return names.length === 0 ? 'It takes none.' : `Arguments are ${names.join(', ')}.`;
}

function listed(names: readonly string[]): string {
  const others = names.length - NAMED;
  return `${names.slice(0, NAMED).map(quoted).join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
}

/** The name as it is, where it is a plain name. */
function shown(name: string): string {
  return /^[\w.-]{1,64}$/.test(name) ? name : quoted(name);
}

/** What people and models call an argument that has another name here, word by word. */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  from_date: [
    'from',
    'start',
    'since',
    'begin',
    'after',
    'start date',
    'start time',
    'begin date',
    'date start',
    'from time',
  ],
  to_date: [
    'to',
    'end',
    'until',
    'till',
    'before',
    'end date',
    'end time',
    'until date',
    'date end',
    'to time',
  ],
  business_id: ['store', 'shop', 'business', 'store id', 'shop id', 'account id', 'business uuid'],
  breakdown: ['granularity', 'interval', 'period', 'group by', 'bucket', 'grain', 'time unit'],
  limit: ['count', 'top', 'top n', 'page size', 'per page', 'max results', 'size', 'first', 'take'],
  offset: ['skip', 'page', 'start index', 'cursor'],
  sort_by: ['sort', 'order by', 'sort column', 'sort field', 'ordering'],
  sort_order: ['order', 'direction', 'sort direction', 'sort dir', 'asc', 'desc', 'descending'],
  search: ['query', 'q', 'search query', 'search term', 'text', 'keyword', 'filter'],
  fields: ['columns', 'select', 'include fields'],
  filter_metrics: ['filters', 'metrics', 'metric filters', 'where'],
  as_of: ['date', 'at', 'as of date', 'on date'],
};

/** The arguments that a name may be a misspelling of, the nearest first. */
function nearestNames(name: string, names: readonly string[]): string[] {
  const words = wordsOf(name.slice(0, LONGEST_COMPARED));
  if (words.length === 0) return [];
  const called = names.filter((each) => CALLED[each]?.includes(words.join(' ')));
  if (called.length > 0) return called;
  const misspelled = names
    .map((each) => ({ each, distance: editDistance(words.join('_'), each) }))
    .filter(({ each, distance }) => distance <= (each.length < 6 ? 1 : 2))
    .toSorted((one, other) => one.distance - other.distance);
  if (misspelled[0] !== undefined) return [misspelled[0].each];
  return names.filter((each) => areAmong(words, wordsOf(each))).slice(0, 3);
}

/** `fromDate`, `from-date` and `FROM_DATE` are from, date. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/**
 * Whether the words, in any order, are some of the other's, and more than one of them or a long one: `brands`
 * of `filter_brands`.
 */
function areAmong(words: readonly string[], others: readonly string[]): boolean {
  if (words.length === 1 && (words[0] as string).length < 4) return false;
  const stems = new Set(others.map(stem));
  return words.every((word) => stems.has(stem(word)));
}

function stem(word: string): string {
  return word.replace(/ies$/, 'y').replace(/s$/, '');
}
