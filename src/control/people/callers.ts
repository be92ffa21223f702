import { type Business, EVERY_PERMISSION, type Permission } from '../../business/business.ts';
import { assignedBusinesses, listBusinesses, readBusiness, shownName } from '../businesses/businesses.ts';
import type { ControlDatabase } from '../database/control-database.ts';
import { spendCounts } from '../limits/count-budgets.ts';
import type { Grant } from '../tokens/grants.ts';
import { permissionsOn } from './accounts.ts';

/** Who calls, and what they may read now. Nothing here is remembered between calls. */
export interface Caller {
  /** Stands in the log, so it is an account_id and never an e-mail. */
  readonly name: string;
  /** Null means that there is no allowlist. */
  readonly allowlist: readonly string[] | null;
  /** Null when the caller is not assigned to the business. */
  permissionsOn(businessId: string): Promise<readonly Permission[] | null>;
  /** The businesses that the caller can read, by name; names as they can be shown. */
  businesses(): Promise<Business[]>;
  /**
   * Pays for counts with noise out of the day's budget; those it paid for today are free.
   *
   * @param counts hashes of what they are of
   * @returns how many are left; null: without end
   * @throws InputError when they are more than that
   */
  spendCounts(businessId: string, counts: readonly string[]): Promise<number | null>;
}

function named(business: Business): Business {
  return { ...business, name: shownName(business.name) };
}

/** The account behind a grant. */
export function grantedCaller(
  control: ControlDatabase,
  grant: Pick<Grant, 'account_id' | 'allowlist'>,
): Caller {
  return {
    name: grant.account_id,
    allowlist: grant.allowlist,
    permissionsOn: (businessId) => permissionsOn(control, grant.account_id, businessId),
    businesses: async () => {
      const assigned = await assignedBusinesses(control, grant.account_id);
      return assigned
        .filter(({ business_id }) => grant.allowlist === null || grant.allowlist.includes(business_id))
        .map(named);
    },
    spendCounts: (businessId, counts) => spendCounts(control, grant.account_id, businessId, counts),
  };
}

/** An account itself, on the machine that holds the data folder. */
export function accountCaller(control: ControlDatabase, accountId: string): Caller {
  return grantedCaller(control, { account_id: accountId, allowlist: null });
}

/** Whoever runs the command line has the data folder, so everything in it. */
export function operatorCaller(control: ControlDatabase): Caller {
  return {
    name: 'operator',
    allowlist: null,
    permissionsOn: async (businessId) =>
      (await readBusiness(control, businessId)) === null ? null : EVERY_PERMISSION,
    businesses: async () => (await listBusinesses(control)).map(named),
    spendCounts: async () => null,
  };
}
