import type { DrawnStore } from './drawn-store.ts';

/** A number as the reader writes it, with all digits that its unit usually has. */
export function formatNumber(value: number, unit: string | undefined, store: DrawnStore): string {
  if (unit === 'money') return formatMoney(value, store);
  if (unit === 'cents') return formatMoney(value / 100, store);
  const text = plain(store.locale).format(value);
  if (unit === 'percent') return `${text}\u00a0%`;
  if (unit === 'percentage points') return `${text}\u00a0pp`;
  if (unit === 'hour') return `${String(value).padStart(2, '0')}:00`;
  return text;
}

/**
 * A number for a label in a picture: money from 1000 on without cents, fractions with three digits, more than
 * anybody sees. Null: all digits.
 */
export function formatShort(value: number, unit: string | undefined, store: DrawnStore): string | null {
  if (unit === 'money' || unit === 'cents') {
    const amount = unit === 'cents' ? value / 100 : value;
    return Math.abs(amount) < 1000 ? null : formatMoney(Math.round(amount), store);
  }
  if (Number.isInteger(value)) return null;
  const short = Math.abs(value) < 100 ? Number(value.toPrecision(3)) : Math.round(value);
  return formatNumber(short, unit, store);
}

/**
 * A rate without its sign, for narrow cells below a heading that has it. Null: it is no rate, or too small
 * for two decimals.
 */
export function formatBare(value: number, unit: string | undefined, store: DrawnStore): string | null {
  if (unit !== 'percent') return null;
  const rounded = Math.abs(value) < 10 ? Math.round(value * 100) / 100 : Number(value.toPrecision(3));
  return rounded === 0 && value !== 0 ? null : formatNumber(rounded, undefined, store);
}

function formatMoney(value: number, { locale, currency }: DrawnStore): string {
  return money(locale, currency).format(value);
}

const kept = new Map<string, Intl.NumberFormat>();

function plain(locale: string): Intl.NumberFormat {
  return keep(locale, () => new Intl.NumberFormat(locale, { maximumFractionDigits: 4 }));
}

/** The format of money; without a known currency only the number. */
function money(locale: string, currency: string | null): Intl.NumberFormat {
  return keep(`${locale} ${currency}`, () => {
    const digits = { trailingZeroDisplay: 'stripIfInteger' } as const;
    try {
      if (currency !== null)
        return new Intl.NumberFormat(locale, {
          style: 'currency',
          currency,
          currencyDisplay: 'narrowSymbol',
          ...digits,
        });
    } catch {}
    return new Intl.NumberFormat(locale, { maximumFractionDigits: 2 });
  });
}

function keep(name: string, make: () => Intl.NumberFormat): Intl.NumberFormat {
  const known = kept.get(name) ?? make();
  kept.set(name, known);
  return known;
}
