import { column, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { query } from '../../../answers/fields/query.ts';
import { InputError } from '../../../errors.ts';
import { segments } from '../../../model-table/table-names.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import { quoted } from '../../../text/business-text.ts';
import { readStoredJson } from '../../../text/stored-json.ts';
import { conditionsOf, parseSegmentQuery, type SegmentQuery } from '../definitions/parse.ts';
import { refuseProblems } from './asked-query.ts';
import { refuseLookUps } from './refuse-look-ups.ts';

/** The queries of saved segments by id; null: there is no such segment. */
export type SavedSegments = ReadonlyMap<string, SegmentQuery | null>;

export const MOST_SAVED_SEGMENTS = 20;

/** Ids of saved segments that queries name, each once. */
function namedSegments(queries: readonly SegmentQuery[]): string[] {
  return [
    ...new Set(
      queries
        .flatMap(conditionsOf)
        .flatMap(({ condition: { type, block } }) => (type === 'segment' ? block.value : [])),
    ),
  ];
}

/**
 * Ids that are named by the queries, or by saved segments known so far, and are not known yet.
 *
 * @throws InputError when they are more than anybody would look through
 */
export function unknownSegments(queries: readonly SegmentQuery[], known: SavedSegments): string[] {
  const named = namedSegments([...queries, ...[...known.values()].filter((query) => query !== null)]);
  if (named.length > MOST_SAVED_SEGMENTS) {
    throw new InputError(
      `segment_query: at most ${MOST_SAVED_SEGMENTS} saved segments are allowed, with those that they name themselves`,
    );
  }
  return named.filter((id) => !known.has(id));
}

const STORED = [column('segment_id', 'text'), nullableColumn('segment_query', 'text')];

/** The stored queries of saved segments, for `addSegments`. */
export function storedQueries(ids: readonly string[]) {
  return query(
    STORED,
    sql`select segment_id, segment_query from ${segments} where segment_id in (${parameter.texts(ids)})`,
  );
}

/**
 * @param rows of `storedQueries` for the ids
 * @throws InputError for a saved segment that cannot be evaluated, or looks for one person
 */
export function addSegments(
  known: SavedSegments,
  ids: readonly string[],
  rows: readonly ObjectOf<typeof STORED>[],
): SavedSegments {
  const stored = new Map(rows.map(({ segment_id, segment_query }) => [segment_id, segment_query]));
  return new Map([
    ...known,
    ...ids.map((id) => [id, stored.has(id) ? readSaved(id, stored.get(id)) : null] as const),
  ]);
}

function readSaved(id: string, stored: unknown): SegmentQuery {
  const path = `saved segment ${quoted(id)}: `;
  const query = parseSegmentQuery(readStoredJson(stored));
  refuseProblems(query, path);
  refuseLookUps(query, path);
  return query;
}

/**
 * The saved segments that exist, each after those that it names.
 *
 * @throws InputError where they name each other in a circle
 */
export function inOrderOfNeed(saved: SavedSegments): { readonly id: string; readonly query: SegmentQuery }[] {
  const ordered = new Map<string, SegmentQuery>();
  const visit = (id: string, above: readonly string[]): void => {
    const query = saved.get(id) ?? null;
    if (query === null || ordered.has(id)) return;
    const way = [...above, id];
    if (above.includes(id)) {
      throw new InputError(
        `saved segments name each other in a circle: ${way.slice(above.indexOf(id)).map(quoted).join(' > ')}`,
        'Who is in them cannot be told. Ask without them.',
      );
    }
    for (const named of namedSegments([query])) visit(named, way);
    ordered.set(id, query);
  };
  for (const id of saved.keys()) visit(id, []);
  return [...ordered].map(([id, query]) => ({ id, query }));
}
