import { randomBytes } from 'node:crypto';
import { Temporal } from 'temporal-polyfill';
import {
  ASSUMPTION_KINDS,
  type Assumption,
  type AssumptionKind,
  type AssumptionPer,
  describeRate,
  kindOfAssumption,
  type OrderScope,
} from '../../business/assumptions.ts';
import type { Business } from '../../business/business.ts';
import { InputError } from '../../errors.ts';
import { hasInk, visibleLine } from '../../text/visible-line.ts';
import type { ControlDatabase, ControlSchema } from '../database/control-database.ts';

/** Why an assumption cannot be so, for pages; the message is in words of the command line. */
export type AssumptionRefusal =
  | { readonly why: 'not a number'; readonly field: 'percent' | 'amount'; readonly most: number }
  | { readonly why: 'no number' }
  | { readonly why: 'not a day' }
  | { readonly why: 'no unit' }
  | { readonly why: 'no currency' }
  | { readonly why: 'too long a name' }
  | { readonly why: 'known already'; readonly same: Assumption };

export class AssumptionError extends InputError {
  readonly refusal: AssumptionRefusal;

  constructor(refusal: AssumptionRefusal, message: string, hint?: string) {
    super(message, hint);
    this.refusal = refusal;
  }
}

/** They are texts, which a person wrote. */
export interface NewAssumption {
  readonly kind: string;
  readonly from: string;
  readonly percent?: string | undefined;
  readonly amount?: string | undefined;
  readonly per?: string | undefined;
  readonly currency?: string | undefined;
  readonly paymentMethod?: string | undefined;
  readonly shippingMethod?: string | undefined;
  readonly country?: string | undefined;
}

/** They are sorted by kind, then by what they apply to, then by their days. */
export async function listAssumptions(
  control: ControlDatabase,
  businessId: string,
): Promise<readonly Assumption[]> {
  const rows = await control
    .selectFrom('assumptions')
    .selectAll()
    .where('business_id', '=', businessId)
    .orderBy('kind')
    .orderBy('per')
    .orderBy('payment_method')
    .orderBy('shipping_method')
    .orderBy('country')
    .orderBy('from_day')
    .execute();
  return rows.map(readRow);
}

/** @throws InputError when it cannot be so, or contradicts one that is there */
export async function addAssumption(
  control: ControlDatabase,
  business: Business,
  asked: NewAssumption,
): Promise<Assumption> {
  const read = readAssumption(business, asked);
  const row = {
    business_id: business.business_id,
    assumption_id: read.assumption_id,
    kind: read.kind,
    per: read.per,
    percent_ten_thousandths: inTenThousandths(read.percent),
    amount_ten_thousandths: inTenThousandths(read.amount),
    currency: read.currency,
    from_day: read.from_day,
    payment_method: read.payment_method ?? '',
    shipping_method: read.shipping_method ?? '',
    country: read.country ?? '',
    created_at: new Date().toISOString(),
  };
  const { numInsertedOrUpdatedRows } = await control
    .insertInto('assumptions')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) throw await contradiction(control, business, read);
  return read;
}

/** @throws InputError when no assumption has this id */
export async function removeAssumption(
  control: ControlDatabase,
  businessId: string,
  assumptionId: string,
): Promise<void> {
  const { numDeletedRows } = await control
    .deleteFrom('assumptions')
    .where('business_id', '=', businessId)
    .where('assumption_id', '=', assumptionId)
    .executeTakeFirst();
  if (numDeletedRows === 0n)
    throw new InputError(
      `there is no assumption ${visibleLine(assumptionId, 60)}; \`business assumptions list\` shows them`,
    );
}

type Row = ControlSchema['assumptions'];

function readRow(row: Row): Assumption {
  const of = (amount: number | null) => (amount === null ? null : amount / 10_000);
  return {
    assumption_id: row.assumption_id,
    kind: row.kind as AssumptionKind,
    per: row.per as AssumptionPer,
    percent: of(row.percent_ten_thousandths),
    amount: of(row.amount_ten_thousandths),
    currency: row.currency,
    from_day: row.from_day,
    payment_method: row.payment_method || null,
    shipping_method: row.shipping_method || null,
    country: row.country || null,
  };
}

function inTenThousandths(value: number | null): number | null {
  return value === null ? null : Math.round(value * 10_000);
}

/** Two rates of one day for the same orders. */
async function contradiction(
  control: ControlDatabase,
  { business_id }: Business,
  read: Assumption,
): Promise<InputError> {
  const same = (await listAssumptions(control, business_id)).find(
    (one) =>
      one.kind === read.kind &&
      one.per === read.per &&
      one.from_day === read.from_day &&
      one.payment_method === read.payment_method &&
      one.shipping_method === read.shipping_method &&
      one.country === read.country,
  );
  if (same === undefined) return new InputError('the assumption was changed meanwhile; try again');
  return new AssumptionError(
    { why: 'known already', same },
    `from ${read.from_day} on, ${read.kind} is ${describeRate(same)} already for these orders: two rates of one day contradict each other`,
    `Remove that one first: business assumptions remove ${business_id} ${same.assumption_id}`,
  );
}

function readAssumption(business: Business, asked: NewAssumption): Assumption {
  const kind = readKind(asked.kind);
  const { scopes, mayBePercent } = kindOfAssumption(kind);
  if (asked.percent !== undefined && !mayBePercent)
    throw new InputError(`--percent goes with payment_fee alone; ${kind} is an --amount`);
  if (asked.percent === undefined && asked.amount === undefined)
    throw new AssumptionError(
      { why: 'no number' },
      `say what it costs: ${mayBePercent ? '--percent 1.4, --amount 3, or both' : '--amount 89'}; 0 where it costs nothing`,
    );
  const amount = asked.amount === undefined ? null : readNumber('amount', asked.amount, 1e9);
  return {
    assumption_id: randomBytes(4).toString('hex'),
    kind,
    per: readPer(kind, asked.per),
    percent: asked.percent === undefined ? null : readNumber('percent', asked.percent, 100),
    amount,
    currency: amount === null ? null : readOwnCurrency(business, asked.currency),
    from_day: readDay(asked.from),
    payment_method: readScope(kind, scopes, 'payment_method', asked.paymentMethod),
    shipping_method: readScope(kind, scopes, 'shipping_method', asked.shippingMethod),
    country: readScope(kind, scopes, 'country', asked.country),
  };
}

function readKind(kind: string): AssumptionKind {
  if (Object.hasOwn(ASSUMPTION_KINDS, kind)) return kind as AssumptionKind;
  if (/vat|tax/i.test(kind))
    throw new InputError(
      'VAT is no assumption of this list; it is set with: business update <business_id> --vat-rate 21',
    );
  throw new InputError(
    `there is no kind ${visibleLine(kind, 60)}; kinds are ${Object.keys(ASSUMPTION_KINDS).join(', ')}`,
  );
}

function readPer(kind: AssumptionKind, per: string | undefined): AssumptionPer {
  const { per: allowed } = kindOfAssumption(kind);
  if (per === undefined && allowed.length === 1) return allowed[0] as AssumptionPer;
  const found = allowed.find((one) => one === per);
  if (found !== undefined) return found;
  throw new AssumptionError(
    { why: 'no unit' },
    per === undefined
      ? `say of what the amount is: --per ${allowed.join(' or --per ')}`
      : `--per ${visibleLine(per, 60)} does not go with ${kind}, which is per ${allowed.join(' or ')}`,
  );
}

function readNumber(field: 'percent' | 'amount', text: string, most: number): number {
  const value = Number(text);
  if (!/^\d{1,10}([.]\d{1,4})?$/.test(text.trim()) || value > most)
    throw new AssumptionError(
      { why: 'not a number', field, most },
      `--${field} ${visibleLine(text, 60)} must be a number from 0 to ${most === 100 ? '100' : 'a billion'} with at most four decimals`,
    );
  return value;
}

function readOwnCurrency({ primary_currency }: Business, currency: string | undefined): string {
  if (primary_currency === null)
    throw new AssumptionError(
      { why: 'no currency' },
      'the business has no currency, so an amount would mean nothing',
      'Set it first: business update <business_id> --currency CZK',
    );
  if (currency !== undefined && currency.toUpperCase() !== primary_currency)
    throw new InputError(
      `--currency ${visibleLine(currency, 60)} is not the currency of the business, ${primary_currency}; give the amount in ${primary_currency}`,
    );
  return primary_currency;
}

function readDay(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) {
    try {
      return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString();
    } catch {
      // No such day, as the 30th of February: told below.
    }
  }
  throw new AssumptionError(
    { why: 'not a day' },
    `--from ${visibleLine(text, 60)} must be the first day on which it holds, for example 2026-01-01`,
  );
}

function readScope(
  kind: AssumptionKind,
  allowed: readonly OrderScope[],
  scope: OrderScope,
  text: string | undefined,
): string | null {
  if (text === undefined) return null;
  const option = `--${scope.replace('_', '-')}`;
  if (!allowed.includes(scope))
    throw new InputError(
      `${option} does not go with ${kind}${allowed.length === 0 ? ', which is the same for all' : `; it may be said of ${allowed.join(' and ')}`}`,
    );
  if (!hasInk(text) || text.length > 200)
    throw new AssumptionError(
      { why: 'too long a name' },
      `${option} must be a name of at most 200 characters, as orders have it`,
    );
  return text.trim();
}
