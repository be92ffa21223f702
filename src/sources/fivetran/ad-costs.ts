import { literal } from '../../store/duckdb-session.ts';
import { relationOf } from '../relations.ts';
import type { Question, Settings, SourceOfTables } from '../source.ts';
import { currentOf, idCell, isDeletedRow } from './fivetran-cells.ts';

type Named = Pick<SourceOfTables, 'name'>;

/**
 * Asks for the currency of costs whose account has none. @param account the column of a row of costs that
 * names its account
 */
export function currencyQuestion(source: Named, account: string): Question {
  return {
    setting: 'currency',
    condition: `not exists (select * from "${relationOf(source, 'account_history')}" as a
        where ${idCell('a.id')} = ${idCell(account)} and a.currency is not null and not ${isDeletedRow('a.deleted')})`,
    problem: 'costs without their currency (the table account_history has it)',
    example: '--currency EUR',
  };
}

/** SQL: of each id of a history, what the row that was updated last says. */
export function lastOf(source: Named, table: string, value: string): string {
  return `(select ${idCell('id')} as id, arg_max("${value}", updated_at) as "${value}" from "${currentOf(source, table)}" where not is_deleted group by all)`;
}

/** SQL: what a row of costs is in. */
export function knownCurrency(cell: string, { currency }: Settings): string {
  return currency === undefined ? cell : `coalesce(${cell}, ${literal(currency)})`;
}

/** SQL: cases of why the costs of a row cannot count. */
export function faultsOfCost(currency: string, cost: string, costColumn: string, day: string): string {
  return `when upper(${currency}) <> getvariable('business_currency')
          then 'is in another currency than the business, which costs are kept in'
        when ${cost} is null then 'has no number as its "${costColumn}"'
        when not coalesce(regexp_full_match(${day}, '[0-9]{4}-[0-9]{2}-[0-9]{2}'), false) then 'has no day, such as 2026-10-31'`;
}

/**
 * SQL of the rows of `ad_costs`: costs of each day and campaign.
 *
 * @param costs a table with `_row`, `day`, `campaign`, `clicks`, `impressions`, and `malformed`: why a row
 *   cannot count
 * @param sum SQL of what the rows of a day and campaign cost together
 */
export function costsByCampaign(
  costs: string,
  of: { readonly source: string; readonly sum: string },
): string {
  return `
      select min(_row) as _row, day, '${of.source}' as source, 'cpc' as medium, campaign, cast(cast(${of.sum} as decimal(18,4)) as varchar) as cost,
        cast(sum(try_cast(clicks as decimal(18,4))) as varchar) as clicks, cast(sum(try_cast(impressions as decimal(18,4))) as varchar) as impressions,
        cast(null as varchar) as _malformed
      from ${costs} where malformed is null group by day, campaign
      union all by name
      select _row, malformed as _malformed from ${costs} where malformed is not null
      order by _row`;
}
