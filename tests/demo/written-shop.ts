import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  AudienceMemberRow,
  CampaignRow,
  InterestListEventRow,
  InterestListRow,
  LinkRow,
  MessageEventRow,
  MessageRow,
  PopupEventRow,
  SegmentRow,
  SendRow,
} from '../../tools/made-shop/generator/marketing/rows.ts';
import type {
  AdCostRow,
  ConsentEventRow,
  IdentityRow,
  OrderItemRow,
  OrderRow,
  ProductEventRow,
  ProductRow,
  ProfileRow,
  SessionRow,
} from '../../tools/made-shop/generator/tables.ts';
import type { DemoShopTruth } from '../../tools/made-shop/generator/truth.ts';
import { writeDemoShop } from '../../tools/made-shop/generator/write-demo-shop.ts';

/** The files of a made shop as anybody may read them, beside what the generator says of it. */
export interface WrittenShop {
  truth: DemoShopTruth;
  orders: OrderRow[];
  items: OrderItemRow[];
  products: ProductRow[];
  profiles: ProfileRow[];
  identities: IdentityRow[];
  sessions: SessionRow[];
  events: ProductEventRow[];
  adCosts: AdCostRow[];
  consents: ConsentEventRow[];
  campaigns: CampaignRow[];
  messages: MessageRow[];
  links: LinkRow[];
  audience: AudienceMemberRow[];
  sends: SendRow[];
  messageEvents: MessageEventRow[];
  interestLists: InterestListRow[];
  interestListEvents: InterestListEventRow[];
  popupEvents: PopupEventRow[];
  segments: SegmentRow[];
}

export async function writeAndReadShop(scale: number): Promise<WrittenShop> {
  const folder = await mkdtemp(join(tmpdir(), 'demo-shop-'));
  try {
    return await readShop(folder, await writeDemoShop(folder, { scale }));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** @param truth what the generator said when it wrote into the folder */
export async function readShop(folder: string, truth: DemoShopTruth): Promise<WrittenShop> {
  const read = async (table: string) =>
    (await readFile(join(folder, `${table}.ndjson`), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  return {
    truth,
    orders: await read('orders'),
    items: await read('order_items'),
    products: await read('products'),
    profiles: await read('profiles'),
    identities: await read('identities'),
    sessions: await read('sessions'),
    events: await read('product_events'),
    adCosts: await read('ad_costs'),
    consents: await read('consent_events'),
    campaigns: await read('campaigns'),
    messages: await read('messages'),
    links: await read('links'),
    audience: await read('audience_members'),
    sends: await read('sends'),
    messageEvents: await read('message_events'),
    interestLists: await read('interest_lists'),
    interestListEvents: await read('interest_list_events'),
    popupEvents: await read('popup_events'),
    segments: await read('segments'),
  };
}

/** Valid orders in order of time, then id. */
export function validOrders({ orders }: WrittenShop): OrderRow[] {
  return orders
    .filter((row) => !row.is_test && row.status !== 'cancelled')
    .sort((a, b) => moment(a.ordered_at) - moment(b.ordered_at) || (a.order_id < b.order_id ? -1 : 1));
}

/** The customer of an order: the profile its reference leads to, else the address, else the order itself. */
export function customerOf({ profiles, identities }: WrittenShop): (order: OrderRow) => string {
  const profileOf = new Map<string, string>();
  for (const { profile_id, email } of profiles) profileOf.set(`email/${email}`, profile_id);
  for (const { profile_id, kind, value } of identities) profileOf.set(`${kind}/${value}`, profile_id);
  return ({ order_id, profile_id, email, external_customer_id }) => {
    if (profile_id !== null) return profile_id;
    if (email !== null) return profileOf.get(`email/${email.toLowerCase()}`) ?? email.toLowerCase();
    return profileOf.get(`external_customer_id/${external_customer_id}`) ?? `order ${order_id}`;
  };
}

/** The valid orders of each customer; an order that names nobody has none. */
export function ordersByCustomer(shop: WrittenShop): Map<string, OrderRow[]> {
  const named = validOrders(shop).filter(
    ({ profile_id, email, external_customer_id }) => (profile_id ?? email ?? external_customer_id) !== null,
  );
  return Map.groupBy(named, customerOf(shop));
}

/** Milliseconds since 1970. */
export function moment(text: string): number {
  return Date.parse(text);
}

/** The local date, since times are written in the offset of the shop. */
export function localDate(text: string): string {
  return text.slice(0, 10);
}

/** Hundred-thousandths of the shop's currency: total × rate of the order. */
export function revenueOf({ total, fx_rate }: OrderRow): bigint {
  return BigInt(total.replace('.', '')) * BigInt((fx_rate ?? '1.000').replace('.', ''));
}

export function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}

/** `37306395.63641` → 3730639563641n */
export function units(decimal: string): bigint {
  return BigInt(decimal.replace('.', ''));
}

export function middle(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  const pair = [sorted[Math.ceil(half) - 1], sorted[Math.floor(half)]] as [number, number];
  return (pair[0] + pair[1]) / 2;
}

/** Whole days from one date to another. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);
}
