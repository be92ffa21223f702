import type { Fact } from './facts.ts';

type Row = Readonly<Record<string, string>>;

/**
 * A question to the demo store with real data (UCI Online Retail), whose answer is checked against SQL over
 * its files.
 */
export interface Question {
  readonly id: string;
  readonly text: string;
  /**
   * The query over the views orders, order_items, products and refunds. It is written by hand, apart from the
   * product.
   */
  readonly sql: string;
  /** What a right answer says, of the rows of that query. */
  readonly facts: (rows: readonly Row[]) => readonly Fact[];
}

const PAID = `status = 'paid'`;
const month = (column: string) => `strftime(${column}::timestamp, '%Y-%m')`;
const number = (what: string, value: string | undefined): Fact => ({ what, number: Number(value) });
const words = (what: string, ...any: readonly string[]): Fact => ({ what, words: any });

export const QUESTIONS: readonly Question[] = [
  {
    id: 'revenue-of-a-month',
    text: 'What was our revenue in November 2011, and from how many orders?',
    sql: `select count(*) as orders, sum(total) as revenue from orders where ${PAID} and ${month('ordered_at')} = '2011-11'`,
    facts: ([row]) => [number('revenue', row?.revenue), number('orders', row?.orders)],
  },
  {
    id: 'best-product',
    text: 'Which product brought the most revenue in November 2011, and how much?',
    sql: `select any_value(products.name) as name, sum(quantity * unit_price) as revenue
      from order_items join orders using (order_id) join products using (external_product_id)
      where ${PAID} and kind = 'product' and ${month('ordered_at')} = '2011-11'
      group by external_product_id order by revenue desc limit 1`,
    facts: ([row]) => [words('its name', row?.name ?? ''), number('its revenue', row?.revenue)],
  },
  {
    id: 'best-month',
    text: 'In which month from December 2010 to November 2011 was revenue highest, and how much was it?',
    sql: `select ${month('ordered_at')} as month, sum(total) as revenue from orders
      where ${PAID} and ordered_at::timestamp < '2011-12-01' group by 1 order by 2 desc limit 1`,
    facts: ([row]) => [
      number('the revenue', row?.revenue),
      words('the month', row?.month ?? '', 'November 2011'),
    ],
  },
  {
    id: 'abroad',
    text: 'Which country after the United Kingdom brought the most revenue from January to November 2011?',
    sql: `select country, sum(total) as revenue from orders
      where ${PAID} and ${month('ordered_at')} between '2011-01' and '2011-11' and country <> 'GB'
      group by 1 order by 2 desc limit 1`,
    facts: ([row]) => [
      words(
        'the country',
        `"${row?.country}"`,
        new Intl.DisplayNames('en', { type: 'region' }).of(row?.country ?? 'GB') ?? '',
      ),
      number('its revenue', row?.revenue),
    ],
  },
  {
    id: 'weekdays',
    text: 'On which weekday did most orders come from January to November 2011, how many, and is there a day with none?',
    sql: `select dayname(ordered_at::timestamp) as day, count(*) as orders from orders
      where ${PAID} and ${month('ordered_at')} between '2011-01' and '2011-11' group by 1 order by 2 desc limit 1`,
    facts: ([row]) => [
      number('how many', row?.orders),
      words('the weekday', `"key":"4","orders_count":${row?.orders}`, row?.day ?? ''),
      words('the day without orders', '"key":"6","orders_count":0', 'Saturday'),
    ],
  },
  {
    id: 'new-customers',
    text: 'How many new customers did we win in October 2011?',
    sql: `select count(*) as customers from (
        select external_customer_id, min(ordered_at) as first_at from orders
        where ${PAID} and external_customer_id is not null group by 1)
      where ${month('first_at')} = '2011-10'`,
    facts: ([row]) => [number('new customers', row?.customers)],
  },
  {
    id: 'money-paid-back',
    text: 'How much money did we pay back to customers in August 2011?',
    sql: `select sum(amount) as refunded from refunds where ${month('refunded_at')} = '2011-08'`,
    facts: ([row]) => [number('all refunds by their date', row?.refunded)],
  },
  {
    id: 'one-product',
    text: 'How did the Regency cakestand develop by month from December 2010 to November 2011? Which was its best month?',
    sql: `select ${month('ordered_at')} as month, sum(quantity * unit_price) as revenue
      from order_items join orders using (order_id)
      where ${PAID} and kind = 'product' and external_product_id = '22423' and ordered_at::timestamp < '2011-12-01'
      group by 1 order by 2 desc limit 1`,
    facts: ([row]) => [
      number('the revenue of its best month', row?.revenue),
      words('its best month', row?.month ?? '', 'December 2010'),
    ],
  },
  {
    id: 'bought-together',
    text: 'Which two products were most often in one order from January to November 2011, and in how many orders?',
    sql: `with lines as (
        select distinct order_id, external_product_id from order_items join orders using (order_id)
        where ${PAID} and kind = 'product' and ${month('ordered_at')} between '2011-01' and '2011-11')
      select count(*) as orders, any_value(one.external_product_id) as one, any_value(other.external_product_id) as other
      from lines as one join lines as other using (order_id)
      where one.external_product_id < other.external_product_id
      group by one.external_product_id, other.external_product_id order by 1 desc limit 1`,
    facts: ([row]) => [
      number('in how many orders', row?.orders),
      words('the first one', 'JUMBO BAG PINK POLKADOT', row?.one ?? ''),
      words('the other one', 'JUMBO BAG RED RETROSPOT', row?.other ?? ''),
    ],
  },
  {
    id: 'what-is-not-there',
    text: 'Which e-mail campaign worked best in November 2011?',
    sql: 'select 0 as campaigns',
    facts: () => [
      words(
        'that nothing is known of e-mails',
        'no messages are loaded',
        'no e-mail',
        'not loaded',
        'no data',
      ),
    ],
  },
];
