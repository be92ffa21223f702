import { VAT_RATE_HUNDREDTHS } from '../../../model-table/business-values.ts';

/**
 * Products of money, rounded once, to four decimals.
 *
 * TRICKY: DuckDB multiplies decimals of up to 18 digits within 18 digits, and others within 38. So one factor is wide,
 * and a rate is cut to the 14 digits that matter: eight decimals from 1 on, fourteen below (a dong is 0.00003765 euros).
 * That is 40 times slower, so the usual case goes without.
 */
const timesRate = (amount: string, rate: string) =>
  `cast(case when ${rate} < 1 then ${amount} * cast(${rate} as decimal(14,14)) else ${amount} * cast(${rate} as decimal(14,8)) end
    as decimal(18,4))`;

export const inBusinessCurrency = (amount: string, rate: string) =>
  `case when ${rate} = 1 then ${amount} else ${timesRate(`cast(${amount} as decimal(22,4))`, rate)} end`;

/** Where there is no amount there is no value: it would take the slow way. */
export const lineValue = (quantity: string, amount: string, rate: string) => `
  case
    when ${amount} is null then null
    when ${rate} = 1 and ${quantity} = trunc(${quantity}) and abs(${quantity}) < 100000 and abs(${amount}) < 1000000
      then cast(cast(${quantity} as integer) * ${amount} as decimal(18,4))
    else ${timesRate(`cast(cast(${quantity} as decimal(20,4)) * ${amount} as decimal(24,8))`, rate)}
  end`;

/**
 * An amount without the VAT in it, by the rate of the business; as it is where there is none. Whole numbers, since a quotient of decimals
 * would be a double.
 */
export const withoutVat = (amount: string) => `
  case
    when ${VAT_RATE_HUNDREDTHS} = 0 then ${amount}
    else cast(sign(${amount}) * cast(
      (cast(cast(abs(${amount}) as decimal(22,4)) * 10000 as hugeint) * 20000 + 10000 + ${VAT_RATE_HUNDREDTHS})
        // (2 * (10000 + ${VAT_RATE_HUNDREDTHS}))
      as decimal(22,0)) * cast(0.0001 as decimal(4,4)) as decimal(18,4))
  end`;

/** A sum of lines, which has more decimals than an amount; 0 where the rate is unknown. */
export const sumInBusinessCurrency = (amount: string, rate: string) => `
  case
    when ${amount} is null then null
    when ${rate} is null then 0
    when ${rate} = 1 then cast(${amount} as decimal(18,4))
    else ${timesRate(`cast(${amount} as decimal(24,8))`, rate)}
  end`;
