// Exact decimal numbers and the two roundings of the spec. Money is a bigint of ten-thousandths.

export type Decimal = { units: bigint; scale: number };

/** Units of 10^-4, the precision in which the store keeps money. */
export type Money = bigint;

export const one: Decimal = { units: 1n, scale: 0 };

export function decimal(text: string): Decimal {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text.trim());
  const digits = `${match?.[2] ?? ''}${match?.[3] ?? ''}`;
  if (match === null || digits === '') throw new Error(`${text} is not a decimal number`);
  return { units: BigInt(`${match[1] === '-' ? '-' : ''}${digits}`), scale: match[3]?.length ?? 0 };
}

export function product(...factors: Decimal[]): Decimal {
  let units = 1n;
  let scale = 0;
  for (const factor of factors) {
    units *= factor.units;
    scale += factor.scale;
  }
  return { units, scale };
}

export function sum(terms: Decimal[]): Decimal {
  const scale = Math.max(0, ...terms.map((term) => term.scale));
  let units = 0n;
  for (const term of terms) units += term.units * 10n ** BigInt(scale - term.scale);
  return { units, scale };
}

/** The number in units of 10^-places, half away from zero. */
function rounded(value: Decimal, places: number): bigint {
  if (value.scale <= places) return value.units * 10n ** BigInt(places - value.scale);
  const divisor = 10n ** BigInt(value.scale - places);
  const magnitude = value.units < 0n ? -value.units : value.units;
  const quotient = (2n * magnitude + divisor) / (2n * divisor);
  return value.units < 0n ? -quotient : quotient;
}

export function money(value: Decimal): Money {
  return rounded(value, 4);
}

export function wholeNumber(value: Decimal): number {
  return Number(rounded(value, 0));
}

/** Money as the number that a tool returns. */
export function amount(value: Money): number {
  return Number(value) / 10_000;
}

/** A double to 4 decimals, half away from zero. */
export function round4(value: number): number {
  const magnitude = Math.round(Math.abs(value) * 10_000) / 10_000;
  return value < 0 && magnitude !== 0 ? -magnitude : magnitude;
}

/** Quotient to 4 decimals; 0 when there is nothing to divide by (the contract's fields are not nullable). */
export function ratio(numerator: number, denominator: number): number {
  return denominator === 0 ? 0 : round4(numerator / denominator);
}

export function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : round4((part / whole) * 100);
}
