import type { DimensionName } from '../dimensions.ts';

/** A sum of a chain, and what its factor is called: the sum per one of the sum before it. */
export interface Step {
  readonly metric: string;
  readonly factor: string;
}

/** Sums that lead to the metric: each per the one before it is a factor. */
interface Chain {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** What is counted by one fact, and by which of its dimensions a value can stand out. */
export interface Cut {
  /** The metric, or what is closest to it in this fact. */
  readonly metric: string;
  /** The number of orders, visits or customers that the metric is made of. A value made of few is chance. */
  readonly count: string;
  readonly dimensions: readonly DimensionName[];
}

export interface ExplainedMetric {
  readonly name: string;
  /** What the metric is called in sentences. */
  readonly noun: string;
  readonly chains: readonly Chain[];
  /** The metrics by customer type, where they are others: customers, their orders, and the metric itself. */
  readonly customers: readonly string[];
  /** What products, brands and categories are told apart by; null where the metric is in no order line. */
  readonly items: {
    readonly metric: string;
    /** Money per piece of a product, and of something with several. */
    readonly price: string;
    readonly perPiece: string;
  } | null;
  /** The dimensions whose rows add up to the metric. */
  readonly rows: readonly DimensionName[];
  /** The first one is of the metric itself. */
  readonly cuts: readonly [Cut, ...Cut[]];
}

const VISITS: Step = { metric: 'sessions_count', factor: 'visits' };
/**
 * Orders that no visit is known of are far more than none in most stores: they are no conversion of visits.
 */
const UNTRACKED = ', also those in no visit,';
const FUNNEL: readonly Step[] = [
  VISITS,
  { metric: 'cart_sessions_count', factor: 'visits with a cart per visit' },
  { metric: 'checkout_sessions_count', factor: 'visits with a checkout per visit with a cart' },
  { metric: 'converting_sessions_count', factor: 'visits with an order per visit with a checkout' },
];

/** Visits to orders, and what these are worth. The funnel goes by the steps of the visit. */
function fromVisits(...steps: readonly [Step, ...Step[]]): readonly Chain[] {
  const [{ metric, factor }, ...rest] = steps;
  return [
    { name: 'visits', steps: [VISITS, { metric, factor: `${factor}${UNTRACKED} per visit` }, ...rest] },
    {
      name: 'funnel',
      steps: [...FUNNEL, { metric, factor: `${factor}${UNTRACKED} per visit with an order` }, ...rest],
    },
  ];
}

const ORDERS: Step = { metric: 'orders_count', factor: 'orders' };
const ORDERS_OF_LINES: Step = { metric: 'product_orders_count', factor: 'orders' };

const OF_ORDERS = [
  ...(['channel', 'country', 'currency', 'customer_type', 'payment_method', 'shipping_method'] as const),
] as const;
/**
 * The landing page is left to visits themselves: each dimension of visits costs as much as all of those of
 * orders.
 */
const OF_VISITS = ['device', 'source_medium', 'campaign'] as const;
const OF_LINES = ['product', 'brand', 'category'] as const;

function ofLines(name: string, noun: string, per: string, price: string): ExplainedMetric {
  return {
    name,
    noun,
    chains: fromVisits(ORDERS_OF_LINES, { metric: name, factor: per }),
    customers: ['product_customers_count', 'product_orders_count', name],
    items: { metric: name, price, perPiece: price },
    rows: ['channel', 'country'],
    cuts: [
      {
        metric: name,
        count: 'product_orders_count',
        dimensions: [...OF_LINES, ...OF_ORDERS, 'coupon'],
      },
    ],
  };
}

const ALL = [
  {
    name: 'revenue',
    noun: 'revenue',
    chains: fromVisits(ORDERS, { metric: 'revenue', factor: 'revenue per order' }),
    customers: ['customers_count', 'orders_count', 'revenue'],
    items: { metric: 'product_revenue', price: 'price per piece', perPiece: 'revenue per piece' },
    rows: ['channel', 'country'],
    cuts: [
      { metric: 'revenue', count: 'orders_count', dimensions: [...OF_ORDERS, 'coupon'] },
      { metric: 'product_revenue', count: 'product_orders_count', dimensions: OF_LINES },
      { metric: 'last_click_revenue', count: 'last_click_orders_count', dimensions: OF_VISITS },
    ],
  },
  ofLines('net_revenue', 'net revenue', 'net revenue per order', 'net revenue per piece'),
  {
    name: 'orders_count',
    noun: 'orders',
    chains: fromVisits(ORDERS),
    customers: ['customers_count', 'orders_count'],
    items: null,
    rows: ['channel', 'country'],
    cuts: [
      { metric: 'orders_count', count: 'orders_count', dimensions: [...OF_ORDERS, 'coupon'] },
      { metric: 'product_orders_count', count: 'product_orders_count', dimensions: OF_LINES },
      { metric: 'last_click_orders_count', count: 'last_click_orders_count', dimensions: OF_VISITS },
    ],
  },
  {
    name: 'customers_count',
    noun: 'customers',
    chains: fromVisits({ metric: 'customers_count', factor: 'customers' }),
    customers: [],
    items: null,
    rows: [],
    cuts: [
      {
        metric: 'customers_count',
        count: 'customers_count',
        dimensions: ['channel', 'country', 'payment_method', 'shipping_method', 'coupon'],
      },
      { metric: 'product_customers_count', count: 'product_customers_count', dimensions: OF_LINES },
    ],
  },
  ofLines('gross_profit', 'gross profit', 'gross profit per order', 'gross profit per piece'),
  {
    name: 'sessions_count',
    noun: 'visits',
    chains: [
      {
        name: 'visitors',
        steps: [
          { metric: 'visitors_count', factor: 'visitors' },
          { metric: 'sessions_count', factor: 'visits per visitor' },
        ],
      },
    ],
    customers: [],
    items: null,
    rows: ['channel', 'country', 'device'],
    cuts: [
      {
        metric: 'sessions_count',
        count: 'sessions_count',
        dimensions: ['channel', 'country', ...OF_VISITS, 'landing_page', 'referrer_domain'],
      },
    ],
  },
  {
    name: 'email_attributed_revenue',
    noun: 'e-mail revenue',
    chains: [
      {
        name: 'emails',
        steps: [
          { metric: 'emails_sent_count', factor: 'e-mails' },
          { metric: 'email_attributed_orders_count', factor: 'orders per e-mail' },
          { metric: 'email_attributed_revenue', factor: 'revenue per order' },
        ],
      },
    ],
    customers: [],
    items: null,
    rows: ['email_campaign', 'campaign_type', 'campaign_category'],
    cuts: [
      {
        metric: 'email_attributed_revenue',
        count: 'email_attributed_orders_count',
        dimensions: ['campaign_type', 'campaign_category'],
      },
    ],
  },
] as const satisfies readonly ExplainedMetric[];

const EXPLAINED: readonly ExplainedMetric[] = ALL;

export const EXPLAINED_NAMES = ALL.map(({ name }) => name) as [string, ...string[]];

export function explainedMetric(name: string): ExplainedMetric {
  const found = EXPLAINED.find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} is not explained`);
  return found;
}
