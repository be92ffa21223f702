import { column, nullableColumn, type ObjectOf } from '../../../../answers/fields/field.ts';
import { query } from '../../../../answers/fields/query.ts';
import { InputError } from '../../../../errors.ts';
import { segments } from '../../../../model-table/table-names.ts';
import { parameter, sql } from '../../../../sql/sql.ts';
import { quoted } from '../../../../text/business-text.ts';
import { nearNames } from '../near-names.ts';

/** The most saved segments with which an unknown name is compared. */
const MOST_COMPARED = 5000;

const SAVED = [column('segment_id', 'text'), nullableColumn('name', 'text')];

/** The saved segments there are, for `unknownSegment`. */
export function savedSegmentNames() {
  return query(
    SAVED,
    sql`select segment_id, name from ${segments} order by segment_id limit ${parameter.integer(MOST_COMPARED)}`,
  );
}

/** The error for a saved segment that does not exist: it says which ids and names are near. */
export function unknownSegment(id: string, saved: readonly ObjectOf<typeof SAVED>[]): InputError {
  const labels = new Map(
    saved.flatMap(({ segment_id, name }) => {
      const label = name === null ? quoted(segment_id) : `${quoted(name)} (${quoted(segment_id)})`;
      return [[segment_id, label], ...(name === null ? [] : [[name, label]])] as [string, string][];
    }),
  );
  const near = [...new Set(nearNames(id, [...labels.keys()]).map((name) => labels.get(name) ?? ''))];
  const exist = saved.length === 0 ? '; none is loaded' : '';
  return new InputError(
    `there is no saved segment ${quoted(id)}${near.length === 0 ? exist : `; near are ${near.join(', ')}`}`,
    'list_segments has the ids of all, and segment_query takes any conditions.',
  );
}
