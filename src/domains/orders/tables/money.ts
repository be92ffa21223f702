import { VAT_RATE_HUNDREDTHS } from '../../../model-table/business-values.ts';

/**
 * Products of money, rounded once, to four decimals.
 *
 * TRICKY: DuckDB multiplies decimals of up to 18 digits within 18 digits, and others within 38. So one factor
 * is wide, and a rate is cut to the 14 digits that matter: eight decimals from 1 on, fourteen below (a dong
 * is 0.00003765 euros). That is 40 times slower, so the usual case goes without.
 */
const timesRate = (amount: string, rate: string) =>
  `cast(case when ${rate} < 1 then ${amount} * cast(${rate} as decimal(14,14)) else ${amount} * cast(${rate} as decimal(14,8)) end
    as decimal(18,4))`;

export const inBusinessCurrency = (amount: string, rate: string) =>
  `case when ${rate} = 1 then ${amount} else ${timesRate(`cast(${amount} as decimal(22,4))`, rate)} end`;

/** The value of a line. Where there is no amount there is no value: such rows would take the slow way. */
export const lineValue = (quantity: string, amount: string, rate: string) => `
  case
    when ${amount} is null then null
    when ${rate} = 1 and ${quantity} = trunc(${quantity}) and abs(${quantity}) < 100000 and abs(${amount}) < 1000000
      then cast(cast(${quantity} as integer) * ${amount} as decimal(18,4))
    else ${timesRate(`cast(cast(${quantity} as decimal(20,4)) * ${amount} as decimal(24,8))`, rate)}
  end`;

/**
 * An amount without the VAT in it, by a rate in hundredths of a percent: half away from zero, to four
 * decimals.
 */
const withoutRate = (amount: string, hundredths: string) => `
  case
    when ${hundredths} = 0 then ${amount}
    else ${quotient(amount, '10000', `(10000 + ${hundredths})`)}
  end`;

/** An amount without the VAT in it, by the rate of the business; null where there is none. */
export const withoutVat = (amount: string) => withoutRate(amount, VAT_RATE_HUNDREDTHS);

/** The VAT in an amount, by the rate of its line in percent. */
export const vatByRate = (amount: string, percent: string) =>
  `(${amount} - ${withoutRate(amount, `cast(${percent} * 100 as integer)`)})`;

/** The VAT in an amount, by the rate of the business; null where there is none. */
export const vatOfBusiness = (amount: string) => `(${amount} - ${withoutVat(amount)})`;

/** An amount as ten-thousandths, as wide as its products are. */
const tenThousandths = (amount: string) => `cast(cast(${amount} as decimal(22,4)) * 10000 as hugeint)`;

/**
 * `amount * times / by`, half away from zero, to four decimals: whole numbers, since a quotient of decimals
 * would be a double.
 */
const quotient = (amount: string, times: string, by: string) => `
    cast(sign(${amount}) * sign(${times}) * sign(${by}) * cast(
      (${tenThousandths(`abs(${amount})`)} * abs(${times}) * 2 + abs(${by})) // (2 * abs(${by}))
      as decimal(22,0)) * cast(0.0001 as decimal(4,4)) as decimal(18,4))`;

/**
 * What falls on the first lines of an order, when an amount of the whole is shared out by what each line is
 * worth: `part` is what they are worth together, of `whole`. A line has the difference of two of these, so
 * that the lines of an order bear all of it, to the last ten-thousandth.
 */
export const sharedOut = (amount: string, part: string, whole: string) =>
  quotient(amount, tenThousandths(part), tenThousandths(whole));

/** A sum of lines, which has more decimals than an amount. */
export const sumInBusinessCurrency = (amount: string, rate: string) => `
  case
    when ${amount} is null then null
    when ${rate} is null then null
    when ${rate} = 1 then cast(${amount} as decimal(18,4))
    else ${timesRate(`cast(${amount} as decimal(24,8))`, rate)}
  end`;
