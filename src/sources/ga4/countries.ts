import { literal } from '../../store/duckdb-session.ts';

/** Google writes English names; these are the ones that differ from those of the Unicode CLDR. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'Hong Kong': 'HK',
  Macao: 'MO',
  Macau: 'MO',
  Turkey: 'TR',
  Türkiye: 'TR',
  'Czech Republic': 'CZ',
  Myanmar: 'MM',
  Palestine: 'PS',
};

/** Statements that make a table of the names of countries with their codes, which other sources have. */
export function countryCodes(table: string): string[] {
  const names = new Intl.DisplayNames('en', { type: 'region' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const codes = letters.flatMap((first) => letters.map((second) => `${first}${second}`));
  const known = codes.map((code) => [names.of(code), code] as const).filter(([name, code]) => name !== code);
  const rows = new Map([...known.toReversed(), ...Object.entries(OTHER_NAMES)] as [string, string][]);
  const values = [...rows].map(([name, code]) => `(${literal(name)}, ${literal(code)})`);
  return [`create temp table ${table} as from (values ${values.join(', ')}) as known(country, code)`];
}
