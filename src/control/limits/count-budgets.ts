import { COUNTS_A_DAY } from '../../business/counts-a-day.ts';
import { InputError } from '../../errors.ts';
import type { ControlDatabase } from '../database/control-database.ts';

/**
 * Pays for counts out of what an account gets of a business in a day (UTC), by all its grants together: an
 * app can ask for as many grants as it likes.
 *
 * @param counts hashes; those that were paid for today are free
 * @returns how many are left
 * @throws InputError when they are more than that; nothing is paid then
 */
export async function spendCounts(
  control: ControlDatabase,
  account_id: string,
  business_id: string,
  counts: readonly string[],
): Promise<number> {
  const day = new Date().toISOString().slice(0, 10);
  return control.transaction().execute(async (transaction) => {
    await openBudget(transaction, account_id, business_id, day);
    // They are sorted, so that calls at the same time wait for each other in one order.
    const fresh = await transaction
      .insertInto('paid_counts')
      .values(counts.toSorted().map((count_hash) => ({ account_id, business_id, day, count_hash })))
      .onConflict((conflict) => conflict.doNothing())
      .returning('count_hash')
      .execute();
    // One statement adds and looks, so that calls at the same time cannot spend the same rest.
    const { spent } = await transaction
      .updateTable('count_budgets')
      .set((row) => ({ spent: row('spent', '+', fresh.length) }))
      .where('account_id', '=', account_id)
      .where('business_id', '=', business_id)
      .where('day', '=', day)
      .returning('spent')
      .executeTakeFirstOrThrow();
    if (spent > COUNTS_A_DAY) throw overspent(fresh.length, COUNTS_A_DAY - spent + fresh.length);
    return COUNTS_A_DAY - spent;
  });
}

/** The budget of the day, made when it is missing; those of the days before are forgotten. */
async function openBudget(
  control: ControlDatabase,
  account_id: string,
  business_id: string,
  day: string,
): Promise<void> {
  await control
    .deleteFrom('count_budgets')
    .where('account_id', '=', account_id)
    .where('business_id', '=', business_id)
    .where('day', '<', day)
    .execute();
  await control
    .insertInto('count_budgets')
    .values({ account_id, business_id, day, spent: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

function overspent(asked: number, left: number): InputError {
  return new InputError(
    `the budget for estimates is used up: an account gets ${COUNTS_A_DAY} new counts of a business a day; ${left} are ` +
      `left, and this question has ${asked}`,
    'Ask with fewer blocks, ask again what was asked today, which is free, or wait for the next day (00:00 UTC).',
  );
}
