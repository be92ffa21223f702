import { MOST_IN_MEMORY, makeBatch, type TableBatch } from '../snapshot/table-batches.ts';
import { storedNames } from '../store/canonical-table.ts';
import { literal, type Session } from '../store/duckdb-session.ts';
import { stockReadings } from '../store/tables/stock-readings.ts';

/**
 * Keeps the stock that rows of `staged` report, before missing values are filled in: what another source said
 * earlier was not read now. When several rows are of one product, the last one that reports stock counts.
 */
export async function keepReportedStock(session: Session): Promise<void> {
  await session.run(
    `create or replace temp table told_stock as
      select external_product_id, unnest(arg_max({'in_stock': in_stock, 'stock_quantity': stock_quantity}, rowid))
      from staged
      where _errors is null and not _deleted and (in_stock is not null or stock_quantity is not null)
      group by external_product_id`,
  );
}

interface Reading {
  /** When the stock was read. */
  readonly at: Date;
  /** The readings that the import brings itself; of their products no others are made. */
  readonly given: TableBatch | undefined;
  /** Whether readings are stored, in the view `before_stock_readings`. */
  readonly hasBefore: boolean;
}

/**
 * Makes readings of the stock that was told: one for each product and day. The same stock on the same day
 * makes no reading, so that reading again changes nothing.
 *
 * @returns the batch with them, undefined where there are none
 */
export async function recordStock(
  session: Session,
  { at, given, hasBefore }: Reading,
): Promise<TableBatch | undefined> {
  const names = storedNames(stockReadings).map((name) => `"${name}"`);
  const batch = `batch_${stockReadings.name}`;
  const readOn = `cast(timezone(getvariable('business_timezone'), timestamptz ${literal(at.toISOString())}) as date)`;
  const all = [
    ...(given === undefined ? [] : [`select ${names.join(', ')} from ${batch}`]),
    `select external_product_id, ${readOn} as read_on, timestamp ${literal(at.toISOString().replace('T', ' ').replace('Z', ''))} as read_at,
        in_stock, stock_quantity
      from told_stock as told
      where true
      ${given === undefined ? '' : `and external_product_id not in (select external_product_id from ${batch})`}
      ${
        hasBefore
          ? `and not exists (from before_${stockReadings.name} as stored
              where stored.external_product_id = told.external_product_id and stored.read_on = ${readOn}
                and stored.in_stock is not distinct from told.in_stock
                and stored.stock_quantity is not distinct from told.stock_quantity)`
          : ''
      }`,
  ];
  await session.run(
    `create or replace temp table recorded_stock as ${all.join(' union all ')}; drop table told_stock`,
  );
  const { rows } = await session.row('select count(*) as rows from recorded_stock');
  if (Number(rows) === 0) return given;
  const kind = given?.file == null ? 'table' : 'view';
  await session.run(`drop ${kind} if exists ${batch}; alter table recorded_stock rename to ${batch}`);
  return makeBatch(
    session,
    stockReadings,
    { rows: Number(rows), held: storedNames(stockReadings) },
    MOST_IN_MEMORY,
  );
}
