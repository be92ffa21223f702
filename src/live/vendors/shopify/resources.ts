import { z } from 'zod';
import type { Json } from '../../vendor.ts';

/** What is read of a shop: orders, products or customers, and how each is asked for. */
export interface Resource {
  /** The connection at the root: `orders`. */
  readonly root: 'orders' | 'products' | 'customers';
  /** The type of an id: `Order`. */
  readonly type: string;
  readonly count: string;
  /** What each has of itself. */
  readonly fields: string;
  /** Fields that some apps may not read, each with what is asked of it, and what it costs to do without. */
  readonly optional: readonly OptionalField[];
  /** What it has many of, asked for page by page; in a bulk operation each is an object beside its owner. */
  readonly children: { readonly name: string; readonly type: string; readonly fields: string } | null;
  readonly scope: string;
  /** What there is not without the scope. */
  readonly costs: string;
}

interface OptionalField {
  readonly name: string;
  readonly field: string;
  readonly scope: string;
  readonly costs: string;
  /** Whether it is one of the children's. */
  readonly isOfChild?: boolean;
}

const money = (...names: readonly string[]) =>
  names.map((name) => `${name} { shopMoney { amount currencyCode } }`).join(' ');

const PROTECTED = 'protected customer data';

export const ORDERS: Resource = {
  root: 'orders',
  type: 'Order',
  count: 'ordersCount',
  fields: `id name createdAt processedAt updatedAt cancelledAt test displayFinancialStatus displayFulfillmentStatus currencyCode
    ${money('totalPriceSet', 'subtotalPriceSet', 'totalTaxSet', 'totalDiscountsSet', 'totalShippingPriceSet')}
    taxesIncluded discountCodes paymentGatewayNames shippingLine { title }
    refunds { id createdAt totalRefundedSet { shopMoney { amount } } }`,
  optional: [
    {
      name: 'email',
      field: 'email',
      scope: PROTECTED,
      costs: 'buyers without an account are nobody: no repeat purchases of theirs',
    },
    {
      name: 'phone',
      field: 'phone',
      scope: PROTECTED,
      costs: 'buyers are not recognised by their phone',
    },
    {
      name: 'shippingAddress',
      field: 'shippingAddress { countryCodeV2 }',
      scope: PROTECTED,
      costs: 'no countries of orders',
    },
    {
      name: 'customer',
      field: 'customer { id }',
      scope: 'read_customers',
      costs: 'customers of orders are known by e-mail alone',
    },
    {
      name: 'customerJourneySummary',
      field:
        'customerJourneySummary { lastVisit { landingPage occurredAt referrerUrl utmParameters { source medium campaign } } }',
      scope: 'read_orders of visits',
      costs: 'no traffic of orders',
    },
  ],
  children: {
    name: 'lineItems',
    type: 'LineItem',
    fields: `id sku name title variantTitle quantity vendor ${money('originalUnitPriceSet')}
      taxLines { rate } discountAllocations { allocatedAmountSet { shopMoney { amount } } }`,
  },
  scope: 'read_orders',
  costs: 'no orders at all',
};

export const PRODUCTS: Resource = {
  root: 'products',
  type: 'Product',
  count: 'productsCount',
  fields: `id handle title vendor productType status descriptionHtml createdAt updatedAt
    featuredMedia { preview { image { url } } }`,
  optional: [
    {
      name: 'inventoryItem',
      field: 'inventoryItem { tracked unitCost { amount } }',
      scope: 'read_inventory',
      costs: 'no purchase prices, so no margins',
      isOfChild: true,
    },
  ],
  children: {
    name: 'variants',
    type: 'ProductVariant',
    fields: 'id title sku barcode price compareAtPrice inventoryQuantity inventoryPolicy',
  },
  scope: 'read_products',
  costs: 'no catalogue: products are those of the orders, by the names there',
};

export const CUSTOMERS: Resource = {
  root: 'customers',
  type: 'Customer',
  count: 'customersCount',
  fields: 'id createdAt updatedAt tags',
  optional: [
    {
      name: 'defaultEmailAddress',
      field: 'defaultEmailAddress { emailAddress marketingState marketingUpdatedAt }',
      scope: PROTECTED,
      costs: 'no e-mail consents, and customers are not recognised by their e-mail',
    },
    {
      name: 'defaultPhoneNumber',
      field: 'defaultPhoneNumber { phoneNumber marketingState marketingUpdatedAt }',
      scope: PROTECTED,
      costs: 'no SMS consents',
    },
    {
      name: 'defaultAddress',
      field: 'defaultAddress { countryCodeV2 }',
      scope: PROTECTED,
      costs: 'no countries of customers',
    },
  ],
  children: null,
  scope: 'read_customers',
  costs: 'no customers who never bought, no consents',
};

/** The names of the optional fields that the app may not read. */
export type Unread = ReadonlySet<string>;

/** The fields that are asked for, without those that the app may not read. */
export function fieldsOf({ fields, optional }: Resource, unread: Unread): string {
  const own = optional.filter(({ name, isOfChild }) => !isOfChild && !unread.has(name));
  return [fields, ...own.map(({ field }) => field)].join(' ');
}

export function childFieldsOf({ children, optional }: Resource, unread: Unread): string {
  const own = optional.filter(({ name, isOfChild }) => isOfChild && !unread.has(name));
  return [children?.fields ?? '', ...own.map(({ field }) => field)].join(' ');
}

/** A row as GraphQL answers it; what it says, the importer knows. */
export type Row = { readonly id: string; readonly updatedAt: string } & {
  readonly [name: string]: Json | undefined;
};

export const PAGE_INFO = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });

export const JSON_OBJECT = z.looseObject({}) as unknown as z.ZodType<{
  readonly [name: string]: Json | undefined;
}>;

/**
 * @param areChildrenWithin whether they are, as in a page, or stand beside it, as in the result of a bulk
 *   operation
 */
export function rowSchema({ children, root }: Resource, areChildrenWithin: boolean): z.ZodType<Row> {
  const list = z.object({ nodes: z.array(JSON_OBJECT), pageInfo: PAGE_INFO });
  return z.looseObject({
    id: z.string(),
    updatedAt: z.iso.datetime({ offset: true }),
    ...(root === 'orders' ? { refunds: z.array(z.looseObject({ id: z.string() })) } : {}),
    ...(children !== null && areChildrenWithin ? { [children.name]: list } : {}),
  }) as unknown as z.ZodType<Row>;
}
