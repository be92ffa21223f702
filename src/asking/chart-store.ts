import type { Logger } from 'pino';
import type { Tool } from '../answers/tool.ts';
import type { Business } from '../business/business.ts';
import type { SnapshotFacts } from '../business/snapshot-facts.ts';
import { type DrawnStore, NO_HOST } from '../charts/drawn-store.ts';
import type { Caller } from '../control/people/callers.ts';
import { readBusinessId } from './check-access.ts';
import type { Arguments, ToolEnvironment } from './run-tool.ts';

/** What a chart says of the store, read from the snapshot that its numbers come from. */
export function chartStore(
  { name }: Pick<Business, 'name'>,
  { timezone, primary_currency, orders_until, history_starts_at }: SnapshotFacts,
): DrawnStore {
  return {
    name,
    currency: primary_currency,
    timezone: timezone ?? 'UTC',
    locale: NO_HOST,
    // The contract's tools do not return data_until; all of them are about orders.
    data_until: orders_until,
    history_starts_at,
  };
}

/**
 * What stands beside an answer for hosts that draw it: which tool it is of, and what is said of the store. It
 * is null where the store is gone meanwhile, or cannot be read now; an answer that is made is given without
 * it.
 */
export async function chartAbout(
  environment: ToolEnvironment,
  caller: Caller,
  { name }: Tool,
  { business_id }: Arguments,
  log: Pick<Logger, 'warn'>,
): Promise<Readonly<Record<string, unknown>> | null> {
  try {
    const asked = readBusinessId(business_id);
    const business = (await caller.businesses()).find((one) => one.business_id === asked);
    const served = business && (await environment.findServed(asked));
    if (business === undefined || !served) return null;
    return { 'storesight/chart': { tool: name, ...chartStore(business, served.facts) } };
  } catch (error) {
    log.warn({ err: error, tool: name }, 'nothing is said of the store for the picture of an answer');
    return null;
  }
}
