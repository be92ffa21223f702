import { type Browser, type Customer, visitorOn } from './customers.ts';
import type { Order } from './orders.ts';
import type { ProductEventRow, SessionRow } from './tables.ts';
import type { Source } from './traffic-sources.ts';

/** Somebody is in the shop for a while: a session, unless another visit of the same visitor touches it. */
export type Visit = {
  visitor_id: string;
  device: SessionRow['device'];
  /** Who it really is. */
  customer: Customer | null;
  country: string | null;
  source: Source;
  at: number;
  end: number;
  landing_path: string;
  /** Pages seen beside those of products, and the seconds in the foreground on them. */
  other_pages: number;
  other_engagement_s: number;
  /** The events in order of time. */
  events: ProductEvent[];
  orders: Order[];
  hasCheckout: boolean;
  isBot: boolean;
  /** The customer registers in it, and does nothing else. */
  isRegistration: boolean;
};

/** A product page opened or used; `at` is a moment in UTC seconds. */
export type ProductEvent = Pick<ProductEventRow, 'external_product_id' | 'kind' | 'engagement_s'> & {
  at: number;
};

/** One page, left at once, at a moment of a day. */
export function startVisit(
  { browser, customer, country }: Visitor,
  source: Source,
  day: number,
  at: number,
): Visit {
  return {
    visitor_id: visitorOn(browser, day),
    device: browser.device,
    customer,
    country,
    source,
    at,
    end: at,
    landing_path: '/',
    other_pages: 1,
    other_engagement_s: 0,
    events: [],
    orders: [],
    hasCheckout: false,
    isBot: false,
    isRegistration: false,
  };
}

export type Visitor = { browser: Browser; customer: Customer | null; country: string | null };
