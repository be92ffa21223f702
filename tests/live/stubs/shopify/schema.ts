import { buildSchema } from 'graphql';

/**
 * The part of the GraphQL Admin API, version 2026-10, that a shop's orders, products and customers stand in,
 * with the names, types and arguments that Shopify documents. What is not here is refused, as Shopify refuses
 * what it does not have.
 */
export const SCHEMA = buildSchema(`
  scalar DateTime
  scalar Decimal
  scalar URL
  scalar UnsignedInt64
  scalar Money
  scalar HTML

  interface Node { id: ID! }

  type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
  type MoneyV2 { amount: Decimal! currencyCode: String! }
  type MoneyBag { shopMoney: MoneyV2! presentmentMoney: MoneyV2! }
  type Count { count: Int! precision: String! }

  enum OrderSortKeys { CREATED_AT ID PROCESSED_AT UPDATED_AT TOTAL_PRICE ORDER_NUMBER }
  enum ProductSortKeys { CREATED_AT ID TITLE UPDATED_AT VENDOR }
  enum CustomerSortKeys { CREATED_AT ID NAME LOCATION UPDATED_AT }

  type QueryRoot {
    shop: Shop!
    currentAppInstallation: AppInstallation!
    node(id: ID!): Node
    nodes(ids: [ID!]!): [Node]!
    orders(first: Int, last: Int, after: String, before: String, query: String, sortKey: OrderSortKeys = PROCESSED_AT, reverse: Boolean = false): OrderConnection!
    products(first: Int, last: Int, after: String, before: String, query: String, sortKey: ProductSortKeys = ID, reverse: Boolean = false): ProductConnection!
    customers(first: Int, last: Int, after: String, before: String, query: String, sortKey: CustomerSortKeys = ID, reverse: Boolean = false): CustomerConnection!
    ordersCount(query: String, limit: Int = 10000): Count
    productsCount(query: String, limit: Int = 10000): Count
    customersCount(query: String, limit: Int = 10000): Count
  }

  type Mutation { bulkOperationRunQuery(query: String!, groupObjects: Boolean! = false): BulkOperationRunQueryPayload }

  type Shop { id: ID! name: String! }
  type AppInstallation { id: ID! accessScopes: [AccessScope!]! }
  type AccessScope { handle: String! description: String! }

  type BulkOperationRunQueryPayload { bulkOperation: BulkOperation userErrors: [BulkOperationUserError!]! }
  enum BulkOperationUserErrorCode { OPERATION_IN_PROGRESS INVALID LIMIT_REACHED }
  type BulkOperationUserError { code: BulkOperationUserErrorCode field: [String!] message: String! }
  enum BulkOperationStatus { CANCELED CANCELING COMPLETED CREATED EXPIRED FAILED RUNNING }
  enum BulkOperationErrorCode { ACCESS_DENIED INTERNAL_SERVER_ERROR TIMEOUT }
  type BulkOperation implements Node {
    id: ID! status: BulkOperationStatus! errorCode: BulkOperationErrorCode createdAt: DateTime! completedAt: DateTime
    objectCount: UnsignedInt64! rootObjectCount: UnsignedInt64! fileSize: UnsignedInt64 url: URL partialDataUrl: URL query: String!
  }

  enum OrderDisplayFinancialStatus { AUTHORIZED EXPIRED PAID PARTIALLY_PAID PARTIALLY_REFUNDED PENDING REFUNDED VOIDED }
  enum OrderDisplayFulfillmentStatus { FULFILLED IN_PROGRESS ON_HOLD OPEN PARTIALLY_FULFILLED UNFULFILLED }
  type OrderConnection { edges: [OrderEdge!]! nodes: [Order!]! pageInfo: PageInfo! }
  type OrderEdge { cursor: String! node: Order! }
  type Order implements Node {
    id: ID! name: String! createdAt: DateTime! processedAt: DateTime! updatedAt: DateTime! cancelledAt: DateTime test: Boolean!
    displayFinancialStatus: OrderDisplayFinancialStatus displayFulfillmentStatus: OrderDisplayFulfillmentStatus!
    email: String phone: String currencyCode: String!
    totalPriceSet: MoneyBag! subtotalPriceSet: MoneyBag totalTaxSet: MoneyBag totalDiscountsSet: MoneyBag totalShippingPriceSet: MoneyBag!
    currentTotalPriceSet: MoneyBag! taxesIncluded: Boolean!
    discountCodes: [String!]! paymentGatewayNames: [String!]!
    shippingLine: ShippingLine shippingAddress: MailingAddress billingAddress: MailingAddress customer: Customer
    customerJourneySummary: CustomerJourneySummary
    refunds(first: Int): [Refund!]!
    lineItems(first: Int, last: Int, after: String, before: String, reverse: Boolean = false): LineItemConnection!
  }
  type ShippingLine { id: ID title: String! }
  type MailingAddress { id: ID! countryCodeV2: String city: String }
  type CustomerJourneySummary { ready: Boolean! lastVisit: CustomerVisit firstVisit: CustomerVisit }
  type CustomerVisit { id: ID! landingPage: URL occurredAt: DateTime! referrerUrl: URL utmParameters: UTMParameters }
  type UTMParameters { source: String medium: String campaign: String content: String term: String }
  type LineItemConnection { edges: [LineItemEdge!]! nodes: [LineItem!]! pageInfo: PageInfo! }
  type LineItemEdge { cursor: String! node: LineItem! }
  type LineItem implements Node {
    id: ID! sku: String name: String! title: String! variantTitle: String quantity: Int! vendor: String
    originalUnitPriceSet: MoneyBag! discountedUnitPriceAfterAllDiscountsSet: MoneyBag! discountAllocations: [DiscountAllocation!]!
    taxLines(first: Int): [TaxLine!]!
  }
  type TaxLine { title: String! rate: Float ratePercentage: Float priceSet: MoneyBag! }
  type DiscountAllocation { allocatedAmountSet: MoneyBag! }
  type Refund implements Node {
    id: ID! createdAt: DateTime totalRefundedSet: MoneyBag!
    refundLineItems(first: Int, last: Int, after: String, before: String, reverse: Boolean = false): RefundLineItemConnection!
  }
  type RefundLineItemConnection { edges: [RefundLineItemEdge!]! nodes: [RefundLineItem!]! pageInfo: PageInfo! }
  type RefundLineItemEdge { cursor: String! node: RefundLineItem! }
  type RefundLineItem { id: ID quantity: Int! subtotalSet: MoneyBag! totalTaxSet: MoneyBag! lineItem: LineItem! }

  enum ProductStatus { ACTIVE ARCHIVED DRAFT UNLISTED }
  type ProductConnection { edges: [ProductEdge!]! nodes: [Product!]! pageInfo: PageInfo! }
  type ProductEdge { cursor: String! node: Product! }
  type Product implements Node {
    id: ID! handle: String! title: String! vendor: String! productType: String! status: ProductStatus! descriptionHtml: HTML! createdAt: DateTime!
    updatedAt: DateTime! featuredMedia: MediaImage
    variants(first: Int, last: Int, after: String, before: String, reverse: Boolean = false): ProductVariantConnection!
  }
  type MediaImage { id: ID! preview: MediaPreviewImage }
  type MediaPreviewImage { image: Image }
  type Image { url: URL! }
  enum ProductVariantInventoryPolicy { CONTINUE DENY }
  type ProductVariantConnection { edges: [ProductVariantEdge!]! nodes: [ProductVariant!]! pageInfo: PageInfo! }
  type ProductVariantEdge { cursor: String! node: ProductVariant! }
  type ProductVariant implements Node {
    id: ID! title: String! sku: String barcode: String price: Money! compareAtPrice: Money inventoryQuantity: Int
    inventoryPolicy: ProductVariantInventoryPolicy! inventoryItem: InventoryItem!
  }
  type InventoryItem implements Node { id: ID! tracked: Boolean! unitCost: MoneyV2 }

  type CustomerConnection { edges: [CustomerEdge!]! nodes: [Customer!]! pageInfo: PageInfo! }
  type CustomerEdge { cursor: String! node: Customer! }
  enum CustomerMarketingState { INVALID NOT_SUBSCRIBED PENDING REDACTED SUBSCRIBED UNSUBSCRIBED }
  type Customer implements Node {
    id: ID! createdAt: DateTime! updatedAt: DateTime! tags: [String!]! defaultEmailAddress: CustomerEmailAddress
    defaultPhoneNumber: CustomerPhoneNumber defaultAddress: MailingAddress
  }
  type CustomerEmailAddress { emailAddress: String! marketingState: CustomerMarketingState! marketingUpdatedAt: DateTime }
  type CustomerPhoneNumber { phoneNumber: String! marketingState: CustomerMarketingState! marketingUpdatedAt: DateTime }

  schema { query: QueryRoot mutation: Mutation }
`);
