import { GraphQLError } from 'graphql';
import {
  linesOf,
  type MadeCustomer,
  type MadeOrder,
  type MadeProduct,
  type MadeShop,
  totalOf,
} from './made-shop.ts';

/** What the app may do, and how its questions are answered. */
export interface Context {
  readonly shop: MadeShop;
  readonly now: number;
  readonly scopes: ReadonlySet<string>;
  /** Fields of protected data, such as `Order.email`. */
  readonly deniedFields: ReadonlySet<string>;
  /** A bulk operation has no pages: its connections answer everything. */
  readonly isBulk: boolean;
}

interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
  readonly reverse?: boolean;
}

interface ListArguments extends PageArguments {
  readonly query?: string | null;
  readonly sortKey?: string;
}

type Kind = 'orders' | 'products' | 'customers';
type Anything = MadeOrder | MadeProduct | MadeCustomer;

const SCOPES: Readonly<Record<Kind, string>> = {
  orders: 'read_orders',
  products: 'read_products',
  customers: 'read_customers',
};

const DAY = 24 * 3600_000;

function denied(what: string): never {
  throw new GraphQLError(`Access denied for ${what}.`, { extensions: { code: 'ACCESS_DENIED' } });
}

function badInput(message: string): never {
  throw new GraphQLError(message, { extensions: { code: 'BAD_REQUEST' } });
}

/** Fields of the root, by their name. */
export function rootOf(context: Context) {
  const list = (kind: Kind) => (args: ListArguments) => {
    if (!context.scopes.has(SCOPES[kind])) denied(`${kind} field`);
    const sortKey = args.sortKey ?? 'ID';
    const found = search(context, kind, args.query ?? null)
      .map(({ made, updatedAt }) => ({ made, key: keyOf(made, updatedAt, sortKey), id: made.id }))
      .sort((a, b) => a.key - b.key || a.id - b.id);
    return connection(context, args, found, sortKey, ({ made }) => objectOf(context, kind, made));
  };
  const count =
    (kind: Kind) =>
    ({ query, limit }: { query?: string | null; limit?: number | null }) => {
      if (!context.scopes.has(SCOPES[kind])) denied(`${kind}Count field`);
      const found = search(context, kind, query ?? null).length;
      const most = limit ?? Number.POSITIVE_INFINITY;
      return { count: Math.min(found, most), precision: found > most ? 'AT_LEAST' : 'EXACT' };
    };
  return {
    shop: { id: 'gid://shopify/Shop/1', name: 'Made shop' },
    currentAppInstallation: {
      id: 'gid://shopify/AppInstallation/1',
      accessScopes: [...context.scopes].map((handle) => ({ handle, description: handle })),
    },
    orders: list('orders'),
    products: list('products'),
    customers: list('customers'),
    ordersCount: count('orders'),
    productsCount: count('products'),
    customersCount: count('customers'),
    nodes: ({ ids }: { ids: readonly string[] }) => {
      if (ids.length > 250) badInput('The input array size of 250 is exceeded');
      return ids.map((id) => nodeOf(context, id));
    },
  };
}

export function nodeOf(context: Context, id: string): object | null {
  const [, type, number] =
    /^gid:\/\/shopify\/(\w+)\/(\d+)$/.exec(id) ?? badInput(`Invalid global id '${id}'`);
  const { orders, products, customers } = context.shop;
  if (type === 'Order') {
    const order = orders.get(Number(number));
    return order === undefined || !isOldEnough(context, order) ? null : orderOf(context, order);
  }
  if (type === 'Product')
    return mapped(products.get(Number(number)), (product) => productOf(context, product));
  if (type === 'Customer')
    return mapped(customers.get(Number(number)), (customer) => customerOf(context, customer));
  if (type === 'Refund') {
    if (!context.scopes.has('read_orders')) denied('node field');
    for (const order of orders.values())
      for (const refund of order.refunds)
        if (refund.id === Number(number)) return refundOf(context, order, refund);
    return null;
  }
  return null;
}

function mapped<From, To>(value: From | undefined, map: (value: From) => To): To | null {
  return value === undefined ? null : map(value);
}

/** Older orders are not there without `read_all_orders`. */
function isOldEnough({ scopes, now }: Context, { createdAt }: MadeOrder): boolean {
  return scopes.has('read_all_orders') || createdAt >= now - 60 * DAY;
}

/** What the index knows, which is late, of what a question asks for. */
function search(context: Context, kind: Kind, query: string | null): { made: Anything; updatedAt: number }[] {
  const known = [...context.shop[kind].values()].flatMap((made: Anything) => {
    const updatedAt = made.index.knownFrom <= context.now ? made.updatedAt : made.index.updatedAt;
    if (updatedAt === null || (kind === 'orders' && !isOldEnough(context, made as MadeOrder))) return [];
    return [{ made, updatedAt }];
  });
  if (query === null || query === '') return known;
  const conditions = query.split(' AND ').map((condition) => {
    const [, comparison, moment] =
      /^updated_at:(>=|<)'(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)'$/.exec(condition) ??
      badInput(`the stub does not know the condition ${condition}`);
    return { comparison, moment: Date.parse(moment ?? '') };
  });
  return known.filter(({ updatedAt }) =>
    conditions.every(({ comparison, moment }) =>
      comparison === '<' ? updatedAt < moment : updatedAt >= moment,
    ),
  );
}

function keyOf(made: Anything, updatedAt: number, sortKey: string): number {
  if (sortKey === 'UPDATED_AT') return updatedAt;
  if (sortKey === 'CREATED_AT' || sortKey === 'PROCESSED_AT') return made.createdAt;
  return sortKey === 'ID' ? made.id : badInput(`the stub does not sort by ${sortKey}`);
}

interface Place {
  readonly key: number;
  readonly id: number;
}

function cursorOf(sortKey: string, { key, id }: Place): string {
  return Buffer.from(JSON.stringify({ last_id: id, last_value: key, sort: sortKey })).toString('base64');
}

/**
 * A page of a list that is in order: behind the place that the cursor names, also where what stood there is
 * gone.
 */
function connection<Item extends Place>(
  context: Context,
  { first, last, after, before, reverse }: PageArguments,
  items: readonly Item[],
  sortKey: string,
  node: (item: Item) => object,
) {
  if (last != null || before != null || reverse) badInput('the stub has no pages backwards');
  let rest = items;
  if (!context.isBulk) {
    if (first == null) badInput('you must provide one of first or last');
    if (first < 1 || first > 250) badInput(`first cannot be ${first}: it is from 1 to 250`);
    if (after != null) {
      const place = parsedCursor(after);
      if (place.sort !== sortKey) badInput('Invalid cursor for current pagination sort.');
      rest = items.filter(
        ({ key, id }) => key > place.last_value || (key === place.last_value && id > place.last_id),
      );
    }
  }
  const page = context.isBulk ? rest : rest.slice(0, first ?? 0);
  const nodes = page.map(node);
  const place = page.at(-1);
  return {
    nodes,
    edges: page.map((item, index) => ({ cursor: cursorOf(sortKey, item), node: nodes[index] })),
    pageInfo: {
      hasNextPage: page.length < rest.length,
      hasPreviousPage: false,
      startCursor: null,
      endCursor: place === undefined ? null : cursorOf(sortKey, place),
    },
  };
}

function parsedCursor(cursor: string): { last_id: number; last_value: number; sort: string } {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64').toString());
  } catch {
    return badInput('Invalid cursor for current pagination sort.');
  }
}

const gid = (type: string, id: number) => `gid://shopify/${type}/${id}`;
const moment = (milliseconds: number | null) =>
  milliseconds === null ? null : new Date(milliseconds).toISOString().replace('.000Z', 'Z');
const decimal = (cents: number) => (cents / 100).toFixed(2).replace(/0$/, '');

/** The amount is in the shop's currency; the buyer's has another amount, so that nobody takes it. */
function money(cents: number) {
  return {
    shopMoney: { amount: decimal(cents), currencyCode: 'EUR' },
    presentmentMoney: { amount: decimal(cents * 25), currencyCode: 'CZK' },
  };
}

function objectOf(context: Context, kind: Kind, made: Anything): object {
  if (kind === 'orders') return orderOf(context, made as MadeOrder);
  return kind === 'products'
    ? productOf(context, made as MadeProduct)
    : customerOf(context, made as MadeCustomer);
}

/** A field that some apps may not read. */
function guarded<Value>(context: Context, name: string, value: Value) {
  return () =>
    context.deniedFields.has(name)
      ? denied(`${name.split('.')[1]} field on ${name.split('.')[0]} object`)
      : value;
}

function orderOf(context: Context, order: MadeOrder) {
  const discounts = order.lines.reduce((sum, { discount }) => sum + discount, 0);
  return {
    __typename: 'Order',
    id: gid('Order', order.id),
    name: `#${order.id}`,
    createdAt: moment(order.createdAt),
    processedAt: moment(order.createdAt),
    updatedAt: moment(order.updatedAt),
    cancelledAt: moment(order.cancelledAt),
    test: order.test,
    displayFinancialStatus: order.financialStatus,
    displayFulfillmentStatus: order.fulfillmentStatus,
    email: guarded(context, 'Order.email', order.email),
    phone: guarded(context, 'Order.phone', null),
    currencyCode: 'EUR',
    totalPriceSet: money(totalOf(order)),
    currentTotalPriceSet: money(totalOf(order) - order.refunds.reduce((sum, { amount }) => sum + amount, 0)),
    subtotalPriceSet: money(linesOf(order)),
    totalTaxSet: money(Math.round((totalOf(order) * 21) / 121)),
    taxesIncluded: true,
    totalDiscountsSet: money(discounts),
    totalShippingPriceSet: money(order.shipping),
    discountCodes: order.code === null ? [] : [order.code],
    paymentGatewayNames: ['shopify_payments'],
    shippingLine: { title: 'DHL' },
    shippingAddress: guarded(context, 'Order.shippingAddress', {
      id: gid('MailingAddress', order.id),
      countryCodeV2: order.country,
    }),
    customer: () => {
      if (!context.scopes.has('read_customers')) denied('customer field');
      return order.customer === null ? null : { __typename: 'Customer', id: gid('Customer', order.customer) };
    },
    customerJourneySummary:
      order.source === null
        ? null
        : {
            ready: true,
            lastVisit: {
              id: gid('CustomerVisit', order.id),
              landingPage: `https://shop.example/?utm_source=${order.source}`,
              occurredAt: moment(order.createdAt - 60_000),
              referrerUrl: 'https://search.example/',
              utmParameters: { source: order.source, medium: 'cpc', campaign: 'spring' },
            },
          },
    refunds: order.refunds.map((refund) => refundOf(context, order, refund)),
    lineItems: (args: PageArguments) =>
      connection(
        context,
        args,
        order.lines.map((line) => ({ ...line, key: line.id })),
        'LINES',
        lineOf,
      ),
  };
}

function lineOf({ id, sku, title, quantity, price, discount }: MadeOrder['lines'][number]) {
  return {
    __typename: 'LineItem',
    id: gid('LineItem', id),
    sku,
    name: title,
    title,
    variantTitle: null,
    quantity,
    vendor: 'Us',
    originalUnitPriceSet: money(price),
    discountedUnitPriceAfterAllDiscountsSet: money(price - discount / quantity),
    taxLines: [{ title: 'VAT', rate: 0.21 }],
    discountAllocations: discount === 0 ? [] : [{ allocatedAmountSet: money(discount) }],
  };
}

function refundOf(
  context: Context,
  order: MadeOrder,
  { id, createdAt, amount, lines }: MadeOrder['refunds'][number],
) {
  return {
    __typename: 'Refund',
    id: gid('Refund', id),
    createdAt: moment(createdAt),
    totalRefundedSet: money(amount),
    refundLineItems: (args: PageArguments) => {
      if (context.isBulk) badInput('connections within a list field are not supported by bulk operations');
      const items = lines.map((line, index) => ({ ...line, key: index, id: index }));
      return connection(context, args, items, 'REFUND', ({ line, quantity, subtotal }) => ({
        quantity,
        subtotalSet: money(subtotal),
        totalTaxSet: money(0),
        // The line may be gone from the order since.
        lineItem: {
          ...lineOf(order.lines.find((one) => one.id === line) ?? GONE_LINE),
          id: gid('LineItem', line),
        },
      }));
    },
  };
}

const GONE_LINE = { id: 0, sku: null, title: 'Deletion', quantity: 0, price: 0, discount: 0 };

function productOf(context: Context, product: MadeProduct) {
  return {
    __typename: 'Product',
    id: gid('Product', product.id),
    handle: `product-${product.id}`,
    title: product.title,
    vendor: 'Us',
    productType: 'Things',
    status: product.status,
    descriptionHtml: `<p>${product.title}</p>`,
    createdAt: moment(product.createdAt),
    updatedAt: moment(product.updatedAt),
    featuredMedia: null,
    variants: (args: PageArguments) =>
      connection(
        context,
        args,
        product.variants.map((variant) => ({ ...variant, key: variant.id })),
        'VARIANTS',
        ({ id, title, sku, price, stock, cost }) => ({
          __typename: 'ProductVariant',
          id: gid('ProductVariant', id),
          title,
          sku,
          barcode: null,
          price: decimal(price),
          compareAtPrice: null,
          inventoryQuantity: stock,
          inventoryPolicy: 'DENY',
          inventoryItem: () => {
            if (!context.scopes.has('read_inventory')) denied('inventoryItem field');
            return {
              id: gid('InventoryItem', id),
              tracked: true,
              unitCost: { amount: decimal(cost), currencyCode: 'EUR' },
            };
          },
        }),
      ),
  };
}

function customerOf(context: Context, customer: MadeCustomer) {
  return {
    __typename: 'Customer',
    id: gid('Customer', customer.id),
    createdAt: moment(customer.createdAt),
    updatedAt: moment(customer.updatedAt),
    tags: customer.tags,
    defaultEmailAddress: guarded(context, 'Customer.defaultEmailAddress', {
      emailAddress: customer.email,
      marketingState: customer.state,
      marketingUpdatedAt: moment(customer.stateAt),
    }),
    defaultPhoneNumber: guarded(context, 'Customer.defaultPhoneNumber', null),
    defaultAddress: guarded(context, 'Customer.defaultAddress', {
      id: gid('MailingAddress', customer.id),
      countryCodeV2: 'CZ',
    }),
  };
}
