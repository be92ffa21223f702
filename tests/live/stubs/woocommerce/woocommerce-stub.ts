import { type Random, shuffled } from '../random.ts';
import { type StubAnswer, type StubRequest, type StubServer, startStub } from '../stub-server.ts';
import {
  type MadeCustomer,
  type MadeOrder,
  type MadeProduct,
  type MadeSite,
  taxOf,
  totalOf,
} from './made-site.ts';

export const KEY = { consumerKey: 'ck_stub', consumerSecret: 'cs_stub' };

/**
 * The parameters that a collection has. WordPress itself passes over others, by which a mistake would read
 * too much.
 */
const OF_LISTS = ['_fields', 'page', 'per_page', 'offset', 'order', 'orderby', 'include', 'exclude'];
const OF_MOMENTS = ['after', 'before', 'modified_after', 'modified_before', 'dates_are_gmt'];
const ORDERS_BY = ['date', 'id', 'include', 'title', 'slug', 'modified'];

const COLLECTIONS: Readonly<
  Record<string, { readonly parameters: readonly string[]; readonly orderby: readonly string[] }>
> = {
  orders: { parameters: [...OF_LISTS, ...OF_MOMENTS, 'status', 'customer'], orderby: ORDERS_BY },
  refunds: { parameters: [...OF_LISTS, ...OF_MOMENTS], orderby: ORDERS_BY },
  products: { parameters: [...OF_LISTS, ...OF_MOMENTS, 'status', 'type'], orderby: [...ORDERS_BY, 'price'] },
  customers: {
    parameters: [...OF_LISTS, 'role', 'email'],
    orderby: ['id', 'include', 'name', 'registered_date'],
  },
  parts: { parameters: OF_LISTS, orderby: ORDERS_BY },
};

interface Entry {
  readonly id: number;
  readonly createdAt: number;
  readonly modifiedAt: number;
  /** The dates that WordPress also has in UTC. It compares by these, and sorts by the clock of the shop. */
  readonly inUtc?: { readonly created: boolean; readonly modified: boolean };
  readonly body: object;
}

export interface WoocommerceStub extends StubServer {
  readonly site: MadeSite;
  /** Shops of before version 9 have no list of all refunds. */
  hasRefunds: boolean;
  /** The lists that the key may not read. */
  readonly denied: Set<string>;
  /** Orders do not name their refunds in some shops. */
  namesRefunds: boolean;
  beforeAnswer: () => void;
}

/** WooCommerce's REST API, version 3, as a client of it meets it. */
export async function startWoocommerceStub(
  site: MadeSite,
  random: Random,
  port?: number,
): Promise<WoocommerceStub> {
  const refused = (status: number, code: string): StubAnswer => ({
    status,
    body: { code, message: code, data: { status } },
  });

  const answer = async (request: StubRequest, fault: 'own' | null): Promise<StubAnswer> => {
    stub.beforeAnswer();
    const { pathname, searchParams } = request.url;
    const path = pathname.replace(/^\/wp-json\/?/, '');
    if (path === pathname || request.method !== 'GET') return refused(404, 'rest_no_route');
    if (path === '') return { status: 200, body: { name: 'Made site', namespaces: ['wc/v3'] } };
    const [, list = ''] = /^wc\/v3\/(\w+)/.exec(path) ?? [];
    // What plugins against attacks answer now and then.
    if (fault === 'own') return { status: 502, body: '<html>Bad gateway</html>' };
    const key = Buffer.from(
      (request.headers.authorization ?? '').replace(/^Basic /, ''),
      'base64',
    ).toString();
    if (request.headers.authorization === undefined) return refused(401, 'woocommerce_rest_cannot_view');
    if (key !== `${KEY.consumerKey}:${KEY.consumerSecret}`)
      return refused(401, 'woocommerce_rest_authentication_error');
    if (stub.denied.has(list)) return refused(401, 'woocommerce_rest_cannot_view');
    const part = /^wc\/v3\/(orders|products)\/(\d+)\/(refunds|variations)$/.exec(path);
    if (part !== null) return partsOf(part, searchParams);
    const one = /^wc\/v3\/(orders|customers)\/(\d+)$/.exec(path);
    if (one !== null) return oneOf(one);
    if (path === 'wc/v3/orders') return page('orders', ordersOf(searchParams), searchParams);
    if (path === 'wc/v3/refunds' && stub.hasRefunds) return page('refunds', allRefunds(), searchParams);
    if (path === 'wc/v3/products')
      return page('products', [...site.products.values()].map(productEntry), searchParams);
    if (path === 'wc/v3/customers')
      return page('customers', [...site.customers.values()].map(customerEntry), searchParams);
    return refused(404, 'rest_no_route');
  };

  function oneOf([, list = '', id = '']: RegExpExecArray): StubAnswer {
    const order = list === 'orders' ? site.orders.get(Number(id)) : undefined;
    if (order !== undefined) return { status: 200, body: orderBody(order, stub.namesRefunds) };
    const customer = list === 'customers' ? site.customers.get(Number(id)) : undefined;
    if (customer !== undefined) return { status: 200, body: customerEntry(customer).body };
    return refused(
      404,
      list === 'orders' ? 'woocommerce_rest_shop_order_invalid_id' : 'woocommerce_rest_invalid_id',
    );
  }

  function ordersOf(parameters: URLSearchParams): Entry[] {
    const status = parameters.get('status') ?? 'any';
    if (status !== 'any' && status !== 'trash') return [];
    return [...site.orders.values()]
      .filter((order) => (order.status === 'trash') === (status === 'trash'))
      .map((order) => ({ ...order, body: orderBody(order, stub.namesRefunds) }));
  }

  function allRefunds(): Entry[] {
    return [...site.orders.values()]
      .filter(({ status }) => status !== 'trash')
      .flatMap((order) =>
        order.refunds.map((refund) => ({
          id: refund.id,
          createdAt: refund.createdAt,
          modifiedAt: refund.createdAt,
          body: { ...refundBody(order, refund), parent_id: order.id },
        })),
      );
  }

  function partsOf([, , id = '', what]: RegExpExecArray, parameters: URLSearchParams): StubAnswer {
    if (what === 'refunds') {
      const order = site.orders.get(Number(id));
      if (order === undefined) return refused(404, 'woocommerce_rest_invalid_order_id');
      const entries = order.refunds.map((refund) => ({
        ...refund,
        modifiedAt: refund.createdAt,
        body: refundBody(order, refund),
      }));
      return page('parts', entries, parameters);
    }
    const product = site.products.get(Number(id));
    if (product === undefined) return refused(404, 'woocommerce_rest_product_invalid_id');
    const entries = product.variations.map((variation) => ({
      ...{ id: variation.id, createdAt: product.createdAt, modifiedAt: product.createdAt },
      body: variationBody(product, variation),
    }));
    return page('parts', entries, parameters);
  }

  function page(name: string, entries: readonly Entry[], parameters: URLSearchParams): StubAnswer {
    const { parameters: known = [], orderby: orders = [] } = COLLECTIONS[name] ?? {};
    for (const parameter of parameters.keys())
      if (!known.includes(parameter)) return refused(400, 'rest_invalid_param');
    const given = (parameter: string, fallback: string) => parameters.get(parameter) ?? fallback;
    const perPage = Number(given('per_page', '10'));
    const orderby = given('orderby', name === 'customers' ? 'name' : 'date');
    if (!(perPage >= 1 && perPage <= 100) || !orders.includes(orderby))
      return refused(400, 'rest_invalid_param');
    const ids = (parameter: string) => given(parameter, '').split(',').filter(Boolean).map(Number);
    const [included, excluded] = [ids('include'), ids('exclude')];
    const moment = (parameter: string) => {
      const text = parameters.get(parameter);
      // The time is by the shop's clock, which is not UTC here: a client that forgets to say so reads an hour
      // too little.
      const shift = given('dates_are_gmt', 'false') === 'true' ? 0 : 3600_000;
      return text === null ? null : Date.parse(`${text}Z`) - shift;
    };
    const [after, modifiedAfter] = [moment('after'), moment('modified_after')];
    const found = entries.filter(
      ({ id, createdAt, modifiedAt, inUtc = { created: true, modified: true } }) =>
        (included.length === 0 || included.includes(id)) &&
        !excluded.includes(id) &&
        (after === null || (inUtc.created && createdAt > after)) &&
        (modifiedAfter === null || (inUtc.modified && modifiedAt > modifiedAfter)),
    );
    const keyOf = ({ id, createdAt, modifiedAt }: Entry) =>
      orderby === 'modified' ? modifiedAt : orderby === 'id' ? id : createdAt;
    const direction = given('order', 'desc') === 'asc' ? 1 : -1;
    // A database puts rows of one moment into any order.
    const sorted = shuffled(random, found).sort((a, b) => direction * (keyOf(a) - keyOf(b)));
    const offset = parameters.has('offset')
      ? Number(given('offset', '0'))
      : (Number(given('page', '1')) - 1) * perPage;
    return {
      status: 200,
      headers: {
        'x-wp-total': String(found.length),
        'x-wp-totalpages': String(Math.ceil(found.length / perPage)),
      },
      body: sorted.slice(offset, offset + perPage).map(({ body }) => onlyFields(body, given('_fields', ''))),
    };
  }

  const server = await startStub(answer, random, port);
  const stub: WoocommerceStub = Object.assign(server, {
    site,
    hasRefunds: true,
    namesRefunds: true,
    denied: new Set<string>(),
    beforeAnswer: () => {},
  });
  return stub;
}

/** As WordPress answers a request that names fields. */
function onlyFields(body: object, fields: string): object {
  if (fields === '') return body;
  return Object.fromEntries(Object.entries(body).filter(([name]) => fields.split(',').includes(name)));
}

const utc = (milliseconds: number) => new Date(milliseconds).toISOString().slice(0, 19);
/** The clock of the shop shows this. */
const local = (milliseconds: number) => utc(milliseconds + 3600_000);
const money = (cents: number) => (cents / 100).toFixed(2);

function orderBody(order: MadeOrder, namesRefunds: boolean) {
  const taxes = [...order.lines.map(({ total }) => total), order.shipping].map(taxOf);
  return {
    id: order.id,
    parent_id: 0,
    status: order.status,
    currency: 'CZK',
    prices_include_tax: true,
    number: String(order.id),
    date_created: local(order.createdAt),
    date_created_gmt: utc(order.createdAt),
    date_modified: local(order.modifiedAt),
    date_modified_gmt: utc(order.modifiedAt),
    discount_total: '0.00',
    discount_tax: '0.00',
    shipping_total: money(order.shipping),
    shipping_tax: money(taxOf(order.shipping)),
    total: money(totalOf(order)),
    total_tax: money(taxes.reduce((sum, tax) => sum + tax, 0)),
    customer_id: order.customer,
    customer_note: 'Call me: +420 601 234 567',
    payment_method: 'cod',
    payment_method_title: 'Cash on delivery',
    billing: {
      email: `buyer-${order.customer}@shop.example`,
      phone: '',
      country: order.country,
      first_name: 'Ann',
    },
    shipping: { country: order.country, first_name: 'Ann' },
    meta_data: [],
    line_items: order.lines.map((line) => ({
      id: line.id,
      name: `Product ${line.product}`,
      product_id: line.product,
      variation_id: line.variation,
      quantity: line.quantity,
      subtotal: money(line.total),
      subtotal_tax: money(taxOf(line.total)),
      total: money(line.total),
      total_tax: money(taxOf(line.total)),
      sku: '',
    })),
    shipping_lines: [{ id: 1, method_title: 'Post', total: money(order.shipping) }],
    fee_lines: [],
    coupon_lines: [],
    refunds: namesRefunds
      ? order.refunds.map(({ id, amount }) => ({ id, reason: '', total: money(-amount) }))
      : [],
  };
}

function refundBody(order: MadeOrder, { id, createdAt, amount, line }: MadeOrder['refunds'][number]) {
  const refunded = order.lines.find((one) => one.id === line);
  const net = Math.round(amount / 1.21);
  return {
    id,
    date_created: local(createdAt),
    date_created_gmt: utc(createdAt),
    amount: money(amount),
    reason: '',
    refunded_by: 1,
    refunded_payment: false,
    meta_data: [],
    line_items:
      refunded === undefined
        ? []
        : [
            {
              id: id + 1_000_000,
              product_id: refunded.product,
              variation_id: refunded.variation,
              quantity: -1,
              total: money(-net),
              total_tax: money(net - amount),
              meta_data: [{ id: 1, key: '_refunded_item_id', value: String(line) }],
            },
          ],
  };
}

function productEntry(product: MadeProduct): Entry {
  const { id, createdAt, modifiedAt, price, variations, isDraft, wasSavedAgain } = product;
  const inUtc = { created: !isDraft, modified: !isDraft || wasSavedAgain };
  const body = {
    ...{
      id,
      name: `Product ${id}`,
      type: variations.length > 0 ? 'variable' : 'simple',
      status: isDraft ? 'draft' : 'publish',
      sku: '',
    },
    ...{ price: money(price), regular_price: money(price), stock_status: 'instock', manage_stock: false },
    ...{ date_created: local(createdAt), date_created_gmt: inUtc.created ? utc(createdAt) : null },
    ...{ date_modified: local(modifiedAt), date_modified_gmt: inUtc.modified ? utc(modifiedAt) : null },
    ...{
      categories: [{ id: 1, name: 'Things' }],
      images: [],
      parent_id: 0,
      variations: variations.map((one) => one.id),
    },
  };
  return { id, createdAt, modifiedAt, inUtc, body };
}

function variationBody(product: MadeProduct, { id, price }: MadeProduct['variations'][number]) {
  return {
    ...{
      id,
      name: `Variation ${id}`,
      sku: '',
      price: money(price),
      regular_price: money(price),
      stock_status: 'instock',
    },
    ...{
      status: 'publish',
      attributes: [{ id: 1, name: 'Size', option: String(id) }],
      parent_id: product.id,
    },
  };
}

function customerEntry({ id, createdAt, email }: MadeCustomer): Entry {
  const body = {
    ...{
      id,
      date_created_gmt: utc(createdAt),
      date_created: local(createdAt),
      email,
      username: `user-${id}`,
    },
    ...{ is_paying_customer: true, billing: { country: 'CZ', phone: '' }, shipping: {}, role: 'customer' },
  };
  return { id, createdAt, modifiedAt: createdAt, body };
}
