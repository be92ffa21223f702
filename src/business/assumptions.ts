/**
 * What a merchant says of costs that no file tells, without VAT: of orders, or of a month. It holds from its
 * day on, until a later one of the same kind and for the same orders.
 */
export interface Assumption {
  readonly assumption_id: string;
  readonly kind: AssumptionKind;
  readonly per: AssumptionPer;
  /** The percentage is taken of what the customer of the order paid. */
  readonly percent: number | null;
  readonly amount: number | null;
  /** The currency of the amount; null when there is no amount. */
  readonly currency: string | null;
  /** `YYYY-MM-DD`, in the time zone of the business. */
  readonly from_day: string;
  /** Only orders with this payment method have the cost; null means all orders. */
  readonly payment_method: string | null;
  readonly shipping_method: string | null;
  readonly country: string | null;
}

export type AssumptionPer = 'order' | 'thousand' | 'month';
export type OrderScope = 'payment_method' | 'shipping_method' | 'country';

interface KindOfAssumption {
  readonly meaning: string;
  /** What an amount is for; where there are several, the first is no better than the others. */
  readonly per: readonly AssumptionPer[];
  /** The only orders of which it may be said. */
  readonly scopes: readonly OrderScope[];
  readonly mayBePercent: boolean;
}

export const ASSUMPTION_KINDS = {
  payment_fee: {
    meaning: 'what a payment costs: percent of what was paid, an amount of each order, or both',
    per: ['order'],
    scopes: ['payment_method'],
    mayBePercent: true,
  },
  shipping_cost: {
    meaning: 'what sending an order costs',
    per: ['order'],
    scopes: ['shipping_method', 'country'],
    mayBePercent: false,
  },
  packaging: { meaning: 'what packing an order costs', per: ['order'], scopes: [], mayBePercent: false },
  email_cost: {
    meaning: 'what e-mails cost: of a thousand sent, or of a month; both add up',
    per: ['thousand', 'month'],
    scopes: [],
    mayBePercent: false,
  },
  sms_cost: {
    meaning: 'what SMS cost in a month, where none are loaded',
    per: ['month'],
    scopes: [],
    mayBePercent: false,
  },
  ad_cost: {
    meaning: 'what advertising costs in a month, where no costs of it are loaded',
    per: ['month'],
    scopes: [],
    mayBePercent: false,
  },
} as const satisfies Readonly<Record<string, KindOfAssumption>>;

export type AssumptionKind = keyof typeof ASSUMPTION_KINDS;

export function kindOfAssumption(kind: AssumptionKind): KindOfAssumption {
  return ASSUMPTION_KINDS[kind];
}

/** `1.4 % and 3 CZK of an order` */
export function describeRate({ percent, amount, currency, per }: Assumption): string {
  const parts = [
    ...(percent === null ? [] : [`${percent} %`]),
    ...(amount === null ? [] : [`${amount} ${currency}`]),
  ];
  const of = { order: 'of an order', thousand: 'of a thousand e-mails', month: 'of a month' }[per];
  return `${parts.join(' and ')} ${of}`;
}
