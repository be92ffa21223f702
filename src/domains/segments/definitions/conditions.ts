import { z } from 'zod';
import { readMoment } from '../../../time/moment.ts';

/**
 * The conditions of the segment query language: what each block may say. `negate` inverts any of them;
 * without `period` a condition is about all time.
 */

const date = z.string().refine(isDateOrMoment, 'must be a date, for example 2026-10-31, or a date-time');

const days = z.int('must be a whole number of days').min(0, 'must be at least 0');

/** `{"last_days": 30}`, `{"more_than_days_ago": 30}`, or `from` and `to`, of which one can be left out. */
const period = z
  .strictObject({
    last_days: days.optional(),
    more_than_days_ago: days.optional(),
    from: date.optional(),
    to: date.optional(),
  })
  .refine(
    ({ last_days, more_than_days_ago, from, to }) =>
      [last_days, more_than_days_ago, from ?? to].filter((given) => given !== undefined).length === 1,
    'must be one of {"last_days": …}, {"more_than_days_ago": …}, {"from": …, "to": …}',
  );

export type Period = z.output<typeof period>;

/** A list of texts; one of them can stand alone, and numbers are texts. */
const names = z.preprocess(
  (value) => (typeof value === 'string' || typeof value === 'number' ? [value] : value),
  z
    .array(z.union([z.string(), z.number()], { error: 'must be text' }).transform(String))
    .min(1, 'must not be empty'),
);

const oneOf = <const Values extends readonly [string, ...string[]]>(...values: Values) => z.enum(values);
const channel = oneOf('email', 'sms');

/** A number, or for `between` two of them, both inclusive. */
const amount = (number: z.ZodNumber) =>
  z.union([number, z.strictObject({ from: number, to: number })], {
    error: 'must be a number, or for between {"from": …, "to": …}',
  });

type Amount = number | { readonly from: number; readonly to: number };

function isAmountOf({ operator, value }: { operator: string; value: Amount }): boolean {
  return (operator === 'between') === (typeof value === 'object');
}

const AMOUNT_MESSAGE = {
  path: ['value'],
  message: 'must be a number, or for between {"from": …, "to": …}',
};

function isAscending({ value }: { value: Amount }): boolean {
  return typeof value === 'number' || value.from <= value.to;
}

const ASCENDING_MESSAGE = { path: ['value', 'to'], message: 'must be at least from' };

/** What attributes are compared with; nothing is asked of `exists`, and what is missing is said elsewhere. */
function isAttributeValue({ operator, value }: { operator: string; value: { value?: unknown } }): boolean {
  const isScalar = (scalar: unknown) => ['string', 'number', 'boolean', 'undefined'].includes(typeof scalar);
  if (operator === 'in' && Array.isArray(value.value)) return value.value.every(isScalar);
  return operator === 'exists' || isScalar(value.value);
}

const every = { negate: z.boolean('must be true or false').default(false) };
const inTime = { ...every, period: period.optional() };
const inPeriod = { ...every, operator: oneOf('in_period').default('in_period'), period };

/** What products a condition is about. */
const products = z
  .strictObject({
    product: names.optional(),
    master_product: names.optional(),
    category: names.optional(),
    brand: names.optional(),
  })
  .refine((of) => Object.values(of).some((ids) => ids !== undefined), 'must name products');

export type Products = z.output<typeof products>;

const ofMoney = z
  .strictObject({
    type: z.string(),
    operator: oneOf('gte', 'lte', 'between'),
    value: amount(z.number()),
    ...inTime,
  })
  .refine(isAmountOf, AMOUNT_MESSAGE)
  .refine(isAscending, ASCENDING_MESSAGE);

const type = { type: z.string() };

export const CONDITIONS = {
  interest_list: z.strictObject({
    ...type,
    operator: oneOf('is_subscribed', 'is_not_subscribed', 'was_unsubscribed'),
    value: names,
    ...every,
  }),
  consent: z.strictObject({
    ...type,
    operator: oneOf('is').default('is'),
    value: z.strictObject({
      channel,
      state: oneOf(
        'subscribed',
        'pending',
        'unsubscribed',
        'bounced',
        'complained',
        'suppressed',
        'never_subscribed',
      ),
    }),
    ...every,
  }),
  suppressed: z.strictObject({
    ...type,
    operator: oneOf('is').default('is'),
    value: z.boolean('must be true or false'),
    ...every,
  }),
  subscribed_at: z
    .strictObject({
      ...type,
      operator: oneOf('before', 'after', 'in_period'),
      value: date.optional(),
      channel: channel.optional(),
      ...inTime,
    })
    .refine(({ operator, value }) => operator === 'in_period' || value !== undefined, {
      path: ['value'],
      message: 'is required',
    })
    .refine(({ operator, period }) => operator !== 'in_period' || period !== undefined, {
      path: ['period'],
      message: 'is required',
    })
    .refine(({ operator, value }) => operator !== 'in_period' || value === undefined, {
      path: ['value'],
      message: 'is only for before and after',
    })
    .refine(({ operator, period }) => operator === 'in_period' || period === undefined, {
      path: ['period'],
      message: 'is only for in_period',
    }),
  source: z.strictObject({ ...type, operator: oneOf('is', 'is_not'), value: names, ...every }),
  last_activity: z.strictObject({ ...type, ...inPeriod }),
  order_count: z
    .strictObject({
      ...type,
      operator: oneOf('eq', 'gte', 'lte', 'between'),
      value: amount(z.int()),
      ...inTime,
    })
    .refine(isAmountOf, AMOUNT_MESSAGE)
    .refine(isAscending, ASCENDING_MESSAGE),
  order_value_total: ofMoney,
  average_order_value: ofMoney,
  first_order_at: z.strictObject({ ...type, ...inPeriod }),
  last_order_at: z.strictObject({ ...type, ...inPeriod }),
  bought: z.strictObject({ ...type, operator: oneOf('any', 'all').default('any'), of: products, ...inTime }),
  viewed: z.strictObject({
    ...type,
    operator: oneOf('any', 'all').default('any'),
    of: products,
    min_count: z.int('must be a whole number').min(1, 'must be at least 1').default(1),
    ...inTime,
  }),
  added_to_cart: z.strictObject({ ...type, operator: oneOf('any').default('any'), of: products, ...inTime }),
  cart_abandoned: z.strictObject({ ...type, ...inPeriod }),
  watched: z.strictObject({ ...type, operator: oneOf('any').default('any'), of: products, ...inTime }),
  rfm_segment: z.strictObject({
    ...type,
    operator: oneOf('is', 'is_not'),
    value: z.strictObject({ rfm_profile_id: z.string('must be text').optional(), segments: names }),
    ...every,
  }),
  rfm_score: z.strictObject({
    ...type,
    operator: oneOf('gte', 'lte', 'eq'),
    value: z.strictObject({
      rfm_profile_id: z.string('must be text').optional(),
      dimension: oneOf('recency', 'frequency', 'monetary'),
      score: z.int('must be 1 to 5').min(1, 'must be 1 to 5').max(5, 'must be 1 to 5'),
    }),
    ...every,
  }),
  campaign: z
    .strictObject({
      ...type,
      operator: oneOf('sent', 'opened', 'clicked', 'not_opened', 'not_clicked', 'ordered'),
      value: names.optional(),
      campaign_type: names.optional(),
      link: names.optional(),
      ...inTime,
    })
    .refine(({ value, campaign_type }) => value !== undefined || campaign_type !== undefined, {
      path: ['value'],
      message: 'is required, or campaign_type',
    })
    .refine(({ operator, link }) => link === undefined || operator.endsWith('clicked'), {
      path: ['link'],
      message: 'is only for clicked and not_clicked',
    }),
  messages_received: z.strictObject({
    ...type,
    operator: oneOf('gte', 'lte'),
    value: z.int('must be a whole number'),
    channel: channel.optional(),
    ...inTime,
  }),
  session: z.strictObject({
    ...type,
    operator: oneOf('gte').default('gte'),
    value: z.int('must be a whole number').default(1),
    channel: names.optional(),
    source: names.optional(),
    landing_page: names.optional(),
    ...inTime,
  }),
  tag: z
    .strictObject({
      ...type,
      operator: oneOf('has', 'has_not', 'value_eq'),
      value: z.preprocess(
        (value) => (typeof value === 'string' ? { name: value } : value),
        z.strictObject({ name: z.string('must be text'), data: z.unknown().optional() }),
      ),
      ...every,
    })
    .refine(({ operator, value }) => operator !== 'value_eq' || value.data !== undefined, {
      path: ['value', 'data'],
      message: 'is required',
    }),
  attribute: z
    .strictObject({
      ...type,
      operator: oneOf('eq', 'in', 'contains', 'exists'),
      value: z.strictObject({ name: z.string('must be text'), value: z.unknown().optional() }),
      ...every,
    })
    .refine(({ operator, value }) => operator === 'exists' || value.value !== undefined, {
      path: ['value', 'value'],
      message: 'is required',
    })
    .refine(isAttributeValue, {
      path: ['value', 'value'],
      message: 'must be a text, a number, true or false; for in also a list of them',
    }),
  birthday: z.strictObject({
    ...type,
    operator: oneOf('within_days').default('within_days'),
    value: days,
    ...every,
  }),
  name_day: z.strictObject({
    ...type,
    operator: oneOf('within_days').default('within_days'),
    value: days,
    ...every,
  }),
  coupon_used: z.strictObject({ ...type, operator: oneOf('any').default('any'), value: names, ...inTime }),
  segment: z.strictObject({ ...type, operator: oneOf('in', 'not_in'), value: names, ...every }),
  random_split: z
    .strictObject({
      ...type,
      operator: oneOf('in').default('in'),
      value: z.strictObject({
        from: z.number().min(0, 'must be 0 to 100').max(100, 'must be 0 to 100'),
        to: z.number().min(0, 'must be 0 to 100').max(100, 'must be 0 to 100'),
        seed: z.union([z.string(), z.number()], { error: 'must be text or a number' }),
      }),
      ...every,
    })
    .refine(isAscending, ASCENDING_MESSAGE),
} satisfies Record<string, z.ZodType>;

export type ConditionType = keyof typeof CONDITIONS;
export type Conditions = { readonly [Type in ConditionType]: z.output<(typeof CONDITIONS)[Type]> };

/** A day of the business, or a moment: `2026-10-31`, `2026-10-31T18:00`, `2026-10-31T18:00:00+01:00`. */
function isDateOrMoment(text: string): boolean {
  try {
    readMoment('', text, 'UTC', 'from');
    return true;
  } catch {
    return false;
  }
}
