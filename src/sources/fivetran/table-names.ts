import { ImportError } from '../../snapshot/import-errors.ts';
import type { SourceOfTables } from '../source.ts';

/** Columns that Fivetran and Airbyte add to what they land. */
const MARKS = [
  ...['_fivetran_synced', '_fivetran_id', '_fivetran_deleted'],
  ...['_airbyte_extracted_at', '_airbyte_emitted_at', '_airbyte_raw_id', '_airbyte_ab_id'],
];

/** A table that lacks these columns in some versions of its connector. */
const UNMARKED = ['campaign_history'];

/** Unread tables whose names contain that of a read one; the longest match wins. */
const UNREAD = [
  ...['order_line_tax_line', 'order_shipping_tax_line', 'order_tag', 'order_note_attribute'],
  ...['order_custom_attribute', 'fulfillment_order_line_item', 'tender_transaction', 'return_line_item'],
  ...['collection_product', 'product_tag', 'product_image', 'product_media', 'product_variant_media'],
  ...[
    'abandoned_checkout_discount_code',
    'abandoned_checkout_shipping_line',
    'fulfillment_event',
    'segment_member',
  ],
];

/**
 * Finds which table of Fivetran's a file has, by its name, such as `order_line.csv`,
 * `shopify_order_line_data.csv` or `order_line/part-1.parquet`, and its columns. It is `unread` for another
 * table of Fivetran's, and null for any other file.
 *
 * @param header in lower case
 * @throws ImportError when its rows are those of every change
 */
export function fivetranTable(
  name: string,
  header: readonly string[],
  sources: readonly SourceOfTables[],
): { readonly source: SourceOfTables; readonly table: string } | 'unread' | null {
  const called = tableNameIn(name, [...UNREAD, ...sources.flatMap(namesOfTables)]);
  const found = called === null ? null : tableCalled(called, header, sources);
  if (called !== null && found !== null) refuseHistory(name, called, header);
  return found ?? (isMarked(header) ? 'unread' : null);
}

function isMarked(header: readonly string[]): boolean {
  return MARKS.some((mark) => header.includes(mark));
}

/** Finds the table that has this name and a header with such columns; null where no source reads it. */
export function tableCalled(
  called: string,
  header: readonly string[],
  sources: readonly SourceOfTables[],
): { readonly source: SourceOfTables; readonly table: string } | null {
  if (!isMarked(header) && !UNMARKED.includes(called)) return null;
  for (const source of sources)
    for (const [table, { names, signature, foreign = [] }] of Object.entries(source.tables))
      if (
        names.includes(called) &&
        signature.every((some) => some.some((column) => header.includes(column))) &&
        !foreign.some((column) => header.includes(column))
      )
        return { source, table };
  return null;
}

/**
 * A table of every change does not say in the usual way which row of an id is true now. Tables that are
 * called a history have one row for each name.
 *
 * @throws ImportError when a table's rows are those of every change
 */
export function refuseHistory(name: string, table: string, header: readonly string[]): void {
  if (!header.includes('_fivetran_active') || table.endsWith('_history')) return;
  throw new ImportError(
    `${name} is a table in Fivetran's history mode, with a row for each change: export the rows that are active ` +
      '(where _fivetran_active), and leave the columns _fivetran_active, _fivetran_start and _fivetran_end out',
  );
}

/** The longest name of a table that stands in the name of a file, else in that of its folder. */
function tableNameIn(path: string, names: readonly string[]): string | null {
  for (const part of path.toLowerCase().split('/').reverse().slice(0, 2)) {
    const words = `_${part.replace(/[^a-z]+/g, '_')}_`;
    const found = names.filter((name) => words.includes(`_${name}_`));
    if (found.length > 0) return found.reduce((one, other) => (other.length > one.length ? other : one));
  }
  return null;
}

export function namesOfTables({ tables }: SourceOfTables): string[] {
  return Object.values(tables).flatMap(({ names }) => names);
}

/** A note for the report on tables that are not read. */
export function tablesNotRead(files: readonly string[]): string[] {
  if (files.length === 0) return [];
  return [
    `files of Fivetran or Airbyte that are not read: ${files.join(', ')}. A file is told by the name of its table, such as order_line.csv, and by its ` +
      'columns; which are read: docs/sources/fivetran.md',
  ];
}
