/**
 * SQL: the text at a path of a JSON value, null where there is none or it is empty:
 * `textAt('document', 'customer.email')`.
 */
export function textAt(value: string, path: string): string {
  return `nullif(trim(${value}->>'$.${path}'), '')`;
}

/** SQL: the first of several paths that says something. */
export function firstAt(value: string, ...paths: readonly string[]): string {
  return `coalesce(${paths.map((path) => textAt(value, path)).join(', ')})`;
}

/**
 * SQL: the list at the first of several paths that has one, as a list of JSON values; empty where none has.
 */
export function listAt(value: string, ...paths: readonly string[]): string {
  const lists = paths.map(
    (path) =>
      `case when json_type(${value}, '$.${path}') = 'ARRAY' then from_json(${value}->'$.${path}', '["JSON"]') end`,
  );
  return `coalesce(${[...lists, `cast([] as json[])`].join(', ')})`;
}

/**
 * Statements that make a table of the documents of raw rows, and one of what they hold: the elements of a
 * list; what lies under the only name of an object (REST answers `{"orders": […]}`); the nodes of an answer
 * of GraphQL; else the document itself.
 *
 * @param wrappers the names that things lie under
 * @param beside what an object may have beside that name
 */
export function unwrapDocuments(
  relation: string,
  names: { readonly documents: string; readonly resources: string },
  wrappers: readonly string[],
  beside: OutsideWrapper = 'nothing',
): string[] {
  const inside = wrappers.flatMap((name) => [
    ...['nodes', 'edges'].map(
      (list) =>
        `when json_type(document, '$.data.${name}.${list}') = 'ARRAY' then from_json(document->'$.data.${name}.${list}', '["JSON"]')`,
    ),
    `${beside === 'anything' ? '' : `when json_keys(document) <> ['${name}'] then null`}
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

/** What may stand beside a wrapper: `{"batch": […], "sentAt": …}`. What it is, is not read. */
export type OutsideWrapper = 'nothing' | 'anything';

/** A thing of another system, by the names of its own fields. */
export type Resource = Readonly<Record<string, unknown>>;

/**
 * What documents hold, as `unwrapDocuments` finds it: a file is told by the fields of these, and not by names
 * deeper within them.
 */
export function resourcesOf(
  documents: readonly unknown[],
  wrappers: readonly string[],
  beside: OutsideWrapper = 'nothing',
): readonly Resource[] {
  return documents
    .flatMap((document) => inside(document, wrappers, beside))
    .map((resource) => (isObject(resource) && isObject(resource.node) ? resource.node : resource))
    .filter(isObject);
}

function inside(document: unknown, wrappers: readonly string[], beside: OutsideWrapper): readonly unknown[] {
  if (Array.isArray(document)) return document;
  if (!isObject(document)) return [];
  for (const name of wrappers) {
    const list = isObject(document.data) ? document.data[name] : undefined;
    for (const nodes of isObject(list) ? [list.nodes, list.edges] : [])
      if (Array.isArray(nodes)) return nodes;
    if (!(name in document) || (beside === 'nothing' && Object.keys(document).length > 1)) continue;
    const thing = document[name];
    if (Array.isArray(thing)) return thing;
    if (isObject(thing)) return [thing];
  }
  return [document];
}

function isObject(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a resource has all of some fields. */
export function hasFields(resource: Resource, ...names: readonly string[]): boolean {
  return names.every((name) => name in resource);
}

/** Whether a resource has one of some fields. */
export function hasField(resource: Resource, ...names: readonly string[]): boolean {
  return names.some((name) => name in resource);
}
