import { isUuid, type Permission } from '../business/business.ts';
import type { Caller } from '../control/people/callers.ts';
import { AccessError, InputError } from '../errors.ts';

/**
 * Says which businesses a caller may read, and what of them. This keeps tenants apart before anything is
 * asked.
 */

/** @throws InputError */
export function readBusinessId(value: unknown): string {
  if (typeof value !== 'string' || !isUuid(value)) {
    throw new InputError('business_id is not a valid UUID', 'Take it from list_businesses.');
  }
  return value.toLowerCase();
}

/** This many stores are asked about in one call, one after the other. */
const MOST_STORES = 10;

/** @throws InputError */
export function readBusinessIds(value: unknown): readonly string[] {
  if (value === undefined || value === null) throw new InputError('business_ids is required');
  if (!Array.isArray(value) || value.length === 0)
    throw new InputError('business_ids must be a list of at least one id', 'Take them from list_businesses.');
  if (value.length > MOST_STORES)
    throw new InputError(`business_ids has ${value.length} elements; at most ${MOST_STORES} are allowed`);
  return [...new Set(value.map(readBusinessId))];
}

const CALL_LIST_BUSINESSES = 'Call list_businesses: the businesses of this connection may have changed.';

/**
 * What the caller may do on the business.
 *
 * @throws AccessError when it is not the caller's
 */
export async function requireAssigned(caller: Caller, businessId: string): Promise<readonly Permission[]> {
  if (caller.allowlist !== null && !caller.allowlist.includes(businessId)) {
    throw new AccessError("business_id is not in this token's allowlist", CALL_LIST_BUSINESSES);
  }
  const held = await caller.permissionsOn(businessId);
  if (held === null) throw new AccessError('account is not assigned to this business', CALL_LIST_BUSINESSES);
  return held;
}

/** @throws AccessError that names the first one that is missing */
export function checkPermissions(needed: readonly Permission[], held: readonly Permission[]): void {
  const missing = needed.find((permission) => !held.includes(permission));
  if (missing === undefined) return;
  throw new AccessError(`Permission denied: this tool requires ${missing} on this business.`);
}
