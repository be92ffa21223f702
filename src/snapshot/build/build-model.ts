import type { AttributionWindows } from '../../business/attribution-windows.ts';
import { internalHosts } from '../../domains/traffic/tables/channels.ts';
import { literal, type Session } from '../../store/duckdb-session.ts';
import { buildOrder } from './build-order.ts';
import type { KeyParts } from './keys.ts';
import { defineLocalTime } from './local-time.ts';
import { type IsEmpty, makeTables } from './make-tables.ts';
import { MODEL_CHECKS } from './model-checks.ts';
import { MODEL_TABLES } from './model-tables.ts';

export interface ModelBusiness {
  /** The time zone. Null stands for UTC. */
  readonly timezone: string | null;
  readonly primary_currency: string | null;
  /** The shop's own link. No session comes anew from its host. */
  readonly link: string | null;
  readonly attribution_windows: AttributionWindows;
  /** The VAT rate in percent. Null means that it is not set. */
  readonly vat_rate: number | null;
}

const BUILD_ORDER = buildOrder(MODEL_TABLES);

/**
 * Builds the tables that tools read, in the main database of the session, from the canonical tables in its
 * schema `store`.
 *
 * @param loadedTables the canonical tables that have rows
 * @param keys where the numbers are that were given before, and where new ones are written
 * @returns whether a table of the build has no rows
 */
export async function buildModel(
  session: Session,
  business: ModelBusiness,
  loadedTables: readonly string[],
  keys: KeyParts,
  onTable: (name: string, doneShare: number) => void,
): Promise<IsEmpty> {
  await setBusinessValues(session, business, { isOfMany: !session.sparesWork });
  setStoreValues(session, 'store');
  return makeTables(
    session,
    BUILD_ORDER,
    loadedTables.map((table) => `store.${table}`),
    MODEL_CHECKS,
    keys,
    onTable,
  );
}

/** @param isOfMany whether tables of many rows are made, for which it pays to prepare */
export async function setBusinessValues(
  session: Session,
  business: ModelBusiness,
  { isOfMany = false } = {},
): Promise<void> {
  const { click, open, delivery } = business.attribution_windows;
  setVariables(session, {
    ...settingsOf(business),
    internal_hosts: `[${internalHosts(business.link).map(literal).join(', ')}]`,
    click_window_h: `${click}`,
    open_window_h: `${open}`,
    delivery_window_h: `${delivery}`,
    vat_rate_hundredths: business.vat_rate === null ? 'null' : `${Math.round(business.vat_rate * 100)}`,
  });
  await defineLocalTime(session, isOfMany);
}

/** @param store the schema of all canonical rows, also where tables are made of a part of them */
export function setStoreValues(session: Session, store: string): void {
  setVariables(session, {
    has_sessions: `(select exists (from ${store}.sessions))`,
    has_cart_events: `(select exists (from ${store}.product_events where kind = 'add_to_cart'))`,
    last_ordered_at: `(select max(ordered_at) from ${store}.orders)`,
  });
}

/** What rows are read by, too. SQL by name. */
export function settingsOf({
  timezone,
  primary_currency,
}: Pick<ModelBusiness, 'timezone' | 'primary_currency'>): Readonly<Record<string, string>> {
  return {
    business_timezone: literal(timezone ?? 'UTC'),
    business_currency: primary_currency === null ? 'null' : literal(primary_currency),
  };
}

/** @param values SQL by name */
export function setVariables(session: Session, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) session.runLater(`set variable ${name} = ${value}`);
}
