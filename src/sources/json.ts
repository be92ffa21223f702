/** SQL: the text at a path of a JSON value, null where there is none or it is empty: `textAt('document', 'customer.email')`. */
export function textAt(value: string, path: string): string {
  return `nullif(trim(${value}->>'$.${path}'), '')`;
}

/** SQL: the first of several paths that says something. */
export function firstAt(value: string, ...paths: readonly string[]): string {
  return `coalesce(${paths.map((path) => textAt(value, path)).join(', ')})`;
}

/** SQL: the list at the first of several paths that has one, as a list of JSON values; empty where none has. */
export function listAt(value: string, ...paths: readonly string[]): string {
  const lists = paths.map(
    (path) =>
      `case when json_type(${value}, '$.${path}') = 'ARRAY' then from_json(${value}->'$.${path}', '["JSON"]') end`,
  );
  return `coalesce(${[...lists, `cast([] as json[])`].join(', ')})`;
}

/**
 * Statements that make a table of the documents of raw rows, and one of what they hold: the elements of a list; what lies
 * under the only name of an object (REST answers `{"orders": […]}`); the nodes of an answer of GraphQL; else the document
 * itself.
 *
 * @param wrappers the names that things lie under
 */
export function unwrapDocuments(
  relation: string,
  names: { readonly documents: string; readonly resources: string },
  wrappers: readonly string[],
): string[] {
  const inside = wrappers.flatMap((name) => [
    ...['nodes', 'edges'].map(
      (list) =>
        `when json_type(document, '$.data.${name}.${list}') = 'ARRAY' then from_json(document->'$.data.${name}.${list}', '["JSON"]')`,
    ),
    `when json_keys(document) <> ['${name}'] then null
          when json_type(document->'$.${name}') = 'ARRAY' then from_json(document->'$.${name}', '["JSON"]')
          when json_type(document->'$.${name}') = 'OBJECT' then [document->'$.${name}']`,
  ]);
  return [
    `create or replace temp table ${names.documents} as
      select rowid as _row, _file, try(cast(document as json)) as document from "${relation}"`,
    `create or replace temp table ${names.resources} as
      select _row, _file, row_number() over () as place, coalesce(resource->'$.node', resource) as resource from (
        select _row, _file, unnest(case
          when json_type(document) = 'ARRAY' then from_json(document, '["JSON"]')
          else coalesce(${inside.map((cases) => `case ${cases} end`).join(', ')}, [document]) end) as resource
        from ${names.documents} where document is not null
      )`,
  ];
}
