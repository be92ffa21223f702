/** A mapping of orders with some more columns. */
export const ordersBy = (lines: string, more = '') => `name: our-orders
recognise: [Number]
${more}
tables:
  orders:
    order_id: Number
    ordered_at: {date: Day, pattern: DD.MM.YYYY HH:mm, zone: Europe/Prague}
    total: {number: Total, decimal: comma}
    currency: {constant: CZK}
${lines}`;

export const fileBy = (header: string, ...rows: string[]) => ({
  'a.csv': `${[header, ...rows].join('\n')}\n`,
});
export const ORDER = '1;31.12.2026 23:30;1 250,50';
export const WITH_STATUS = ordersBy(
  '    status: {map: Status, values: {Vyřízená: fulfilled, Storno: cancelled}}\n    coupon_codes: {split: Coupons, by: ","}',
);
