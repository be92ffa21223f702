import type { ParameterValues } from '../../../model-table/model-table.ts';
import { readStoredJson } from '../../../text/stored-json.ts';
import { parseSegmentQuery } from '../definitions/parse.ts';
import { queryReferences, targetedLists } from '../definitions/references.ts';

export const referencesIn: ParameterValues = (rows) => {
  const references = readQueries(rows).flatMap(({ owner, query }) =>
    queryReferences(query).map((reference, place) => ({ ...owner, place, ...reference })),
  );
  return { references: JSON.stringify(references) };
};

export const listsTargetedIn: ParameterValues = (rows) => {
  const targets = readQueries(rows).flatMap(({ owner, query }) =>
    targetedLists(query).map((code) => ({ campaign_id: owner.owner_id, code })),
  );
  return { targets: JSON.stringify(targets) };
};

/** Reads the queries. Nothing else reads them outside of SQL, so that there is one reading of them. */
function readQueries(rows: Parameters<ParameterValues>[0]) {
  return rows.map(({ query, ...owner }) => ({ owner, query: parseSegmentQuery(readStoredJson(query)) }));
}
