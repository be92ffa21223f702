import { mkdir } from 'node:fs/promises';
import { makeAdCosts } from './ad-costs.ts';
import { makeShelf } from './carts.ts';
import { makeCatalogue } from './catalogue.ts';
import { makeConsentRows, makeConsents } from './consents.ts';
import { makeCustomers } from './customers.ts';
import { makeExchangeRates } from './exchange-rates.ts';
import { makeMarketing, makeMarketingTables } from './marketing/make-marketing.ts';
import { makeNotes } from './notes.ts';
import { makeOrders } from './orders.ts';
import { makeProductPriceRows, makeProductRows } from './product-rows.ts';
import { makeIdentities, makeProfiles } from './profiles.ts';
import { makePurchases } from './purchases.ts';
import { makeRefunds } from './refunds.ts';
import { makeOrderRows, makeProductEventRows, makeSessionRows, makeSessions } from './sessions.ts';
import { Stock } from './stock.ts';
import { countTruth, type DemoShopTruth, type Written } from './truth.ts';
import { makeVisits } from './visits.ts';
import { createWorld, type DemoShopOptions, type World } from './world.ts';
import { writeTable } from './write-table.ts';

/**
 * Writes a made shop as canonical NDJSON tables into a folder (created when missing; files of the same names
 * are replaced) and returns what is true of it. Same seed and scale → the same bytes, on any machine, at any
 * time.
 *
 * @param options `seed` (1), a whole number; `scale` (1 ≈ 15,000 orders), 0.1–100. Everything is made in
 *   memory: about 420 MB at scale 1, 2.2 GB at scale 10.
 */
export async function writeDemoShop(folder: string, options: DemoShopOptions = {}): Promise<DemoShopTruth> {
  const { world, written, rows } = await writeDemoTables(folder, options);
  return countTruth(world, written, rows);
}

/**
 * The same tables without counting what is true of them, which takes a while and nobody asks for at a start.
 */
export async function writeDemoTables(
  folder: string,
  options: DemoShopOptions = {},
): Promise<{ world: World; written: Written; rows: Record<string, number> }> {
  const world = createWorld(options);
  const products = makeCatalogue(world);
  const shelf = makeShelf(products);
  const customers = makeCustomers(world);
  const purchases = makePurchases(world, customers);
  const stock = new Stock(world, products);
  const orders = makeOrders(world, purchases, shelf, stock, makeExchangeRates(world));
  const stockReadings = stock.readings();
  const { refunds, lines: refund_lines } = makeRefunds(world, orders);
  const consents = makeConsents(world, customers);
  const visits = makeSessions(world, makeVisits(world, customers, orders, consents, shelf));
  const adCosts = makeAdCosts(world, visits);
  const profiles = makeProfiles(world, customers);
  const marketing = makeMarketing(world, {
    products,
    shelf,
    customers,
    profiles,
    orders,
    sessions: visits,
    consents,
  });
  const { sessions } = marketing;

  const tables: Record<string, Iterable<object>> = {
    products: makeProductRows(world, products),
    product_prices: makeProductPriceRows(products),
    stock_readings: stockReadings,
    profiles: marketing.profiles,
    identities: makeIdentities(customers),
    orders: makeOrderRows(world, orders, sessions),
    order_items: orders.flatMap((order) => order.items),
    refunds,
    refund_lines,
    sessions: makeSessionRows(world, sessions),
    product_events: makeProductEventRows(sessions),
    ad_costs: adCosts,
    calendar_events: makeNotes(),
    consent_events: makeConsentRows(marketing.consents),
    ...makeMarketingTables(marketing),
  };
  await mkdir(folder, { recursive: true });
  const rows: Record<string, number> = {};
  for (const [table, tableRows] of Object.entries(tables)) {
    rows[table] = await writeTable(folder, table, tableRows);
  }
  return { world, written: { products, orders, adCosts, marketing }, rows };
}
