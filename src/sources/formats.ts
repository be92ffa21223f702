import { hasTables, type Source } from './source.ts';

/** What `import` recognises, and what it reads of it. */
export interface Format {
  readonly source: string;
  readonly what: string;
  /**
   * Tables of a warehouse, else the columns of a table or the fields of a record; empty for documents, which
   * are read as a whole.
   */
  readonly reads: readonly string[];
  /** The languages, as ISO 639-1 codes, in which its titles are recognised. */
  readonly languages: readonly string[];
}

export function formatOf(source: Source): Format {
  const { name, title, columns, records, titles = {} } = source;
  const reads = hasTables(source)
    ? Object.values(source.tables).flatMap(({ names }) => names)
    : records === undefined
      ? Object.values(columns).flatMap(({ header: [first], inHeader }) =>
          first === undefined || inHeader !== undefined ? [] : [first],
        )
      : Object.values(records.fields).flatMap(({ paths: [first] }) => first ?? []);
  const languages = Object.keys(titles);
  return { source: name, what: title, reads, languages: languages.length === 0 ? [] : ['en', ...languages] };
}

/**
 * What a source reads, short enough for a line of a table: the names of tables where they are few, else how
 * many there are.
 */
export function readsInShort(source: Source): string {
  const { reads, languages } = formatOf(source);
  const shown = hasTables(source)
    ? `tables ${reads.join(', ')}`
    : reads.length === 0
      ? 'documents'
      : `${reads.length} ${source.records === undefined ? 'columns' : 'fields'}`;
  return languages.length === 0 ? shown : `${shown}, in ${languages.join(', ')}`;
}
