import { dateText, dayOf } from './calendar.ts';
import { at, cumulative, type RandomStream } from './random-stream.ts';
import { blackFriday } from './rhythm.ts';

/** How an order is shipped, paid and discounted. Fees are hundredths of CZK. */
export type Fee = { method: string; name: string; fee: number };

/** Shipping by choice; free over 1,500 CZK of goods. */
export function drawShipping(stream: RandomStream, goods: number): Fee {
  const shipping = at(shippingMethods, stream.index(shippingWeights));
  return goods >= 150_000 ? { ...shipping, fee: 0 } : shipping;
}

const shippingMethods: readonly Fee[] = [
  { method: 'pickup-point', name: 'Pick-up point', fee: 7_900 },
  { method: 'courier', name: 'Courier to the door', fee: 12_900 },
  { method: 'post', name: 'Post', fee: 10_900 },
  { method: 'store-pickup', name: 'Collected in the shop', fee: 0 },
];
const shippingWeights = cumulative([52, 34, 9, 5]);

/** Payment by choice; cash on delivery costs a fee and is offered in CZ, SK and PL only. */
export function drawPayment(stream: RandomStream, country: string): Fee {
  const payment = at(paymentMethods, stream.index(paymentWeights));
  if (payment.fee > 0 && (country === 'DE' || country === 'AT')) return at(paymentMethods, 0);
  return payment;
}

const paymentMethods: readonly Fee[] = [
  { method: 'card', name: 'Card', fee: 0 },
  { method: 'cash-on-delivery', name: 'Cash on delivery', fee: 3_900 },
  { method: 'bank-transfer', name: 'Bank transfer', fee: 0 },
  { method: 'wallet', name: 'Mobile wallet', fee: 0 },
];
const paymentWeights = cumulative([54, 19, 14, 13]);

/** A coupon takes a percentage off the goods. */
export type Coupon = { code: string; percent: number };

/**
 * The coupon used, if any: a welcome on the first order, campaigns in their weeks, a club coupon at any time.
 */
export function drawCoupon(stream: RandomStream, day: number, isFirstOrder: boolean): Coupon | null {
  const date = dateText(day);
  const year = date.slice(0, 4);
  const sinceBlackFriday = day - blackFriday(year);
  if (sinceBlackFriday >= -3 && sinceBlackFriday <= 3 && stream.chance(0.45)) {
    return { code: `BLACK${year}`, percent: 20 };
  }
  const sinceSpring = day - dayOf(`${year}-04-10`);
  if (sinceSpring >= 0 && sinceSpring <= 9 && stream.chance(0.25)) {
    return { code: `SPRING${year}`, percent: 15 };
  }
  if (isFirstOrder && stream.chance(0.22)) return { code: 'WELCOME10', percent: 10 };
  return stream.chance(0.03) ? { code: 'CLUB5', percent: 5 } : null;
}
