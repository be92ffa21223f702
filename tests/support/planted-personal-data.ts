import type { CanonicalTable } from '../../src/store/canonical-table.ts';
import type { Column } from '../../src/store/column-kinds.ts';
import type { PhoneForm } from '../../src/store/personal-data/phones.ts';
import { TEXT_KINDS } from '../../src/store/personal-data/text-kinds.ts';
import { CANONICAL_TABLES, canonicalTable } from '../../src/store/tables/all-tables.ts';

/** A row of a table with an e-mail address or a phone number in one of its columns. */
export interface PlantedRow {
  readonly table: string;
  readonly column: string;
  readonly cells: Readonly<Record<string, string>>;
}

/** Each way of writing an address of its own: `jmeno7.tajne@obchod.cz`. */
const EMAIL_FORMS: readonly ((email: string) => string)[] = [
  (email) => email,
  (email) => email.toUpperCase(),
  (email) => email.replace('@', '%40'),
  (email) => email.replace('@', '%2540').replace('.cz', '%252Ecz'),
  (email) => email.replace('@', '&#64;'),
  (email) => email.replace('@', '&commat;'),
  (email) => email.replace('@', '\\u0040'),
  (email) => email.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  (email) => email.replace('@', '\u200b@'),
  (email) => email.replace('@', ' (at) ').replace('.cz', ' (dot) cz'),
  (email) => `mailto:${email}?subject=x`,
  (email) => `<${email}>, and more`,
  (email) => `https://shop.cz/u/${email}/x?email=${email}&id=5#${email}`,
];

const groupsOf = (number: string) => [number.slice(0, 3), number.slice(3, 6), number.slice(6)];

/** Each way of writing a Czech number, by which of them count as one: see `PhoneForm`. */
const PHONE_FORMS: Readonly<Record<PhoneForm, readonly ((number: string) => string)[]>> = {
  international: [
    (number) => `+420${number}`,
    (number) => `+420 ${groupsOf(number).join(' ')}`,
    (number) => `%2B420${number}`,
    (number) => `(+420) ${groupsOf(number).join('-')}`,
    (number) => `https://shop.cz/?a=+420${number}`,
  ],
  written: [
    (number) => groupsOf(number).join(' '),
    (number) => groupsOf(number).join('\u00a0'),
    (number) => `(${groupsOf(number)[0]}) ${groupsOf(number).slice(1).join('-')}`,
    (number) => groupsOf(number).join('-'),
    (number) => groupsOf(number).join('%20'),
    (number) => `${groupsOf(number)[0]}/${groupsOf(number).slice(1).join('')}`,
    (number) => `00420 ${groupsOf(number).join(' ')}`,
    (number) =>
      String.fromCharCode(...[...number].map((digit) => digit.charCodeAt(0) + 0xfee0)).replace(
        /.{3}(?=.)/g,
        '$& ',
      ),
  ],
  any: [(number) => number, (number) => `420${number}`, (number) => `tel:${number}`],
};

/**
 * A row for every column of every table and every written form: rows that fit, and rows whose cell does not.
 *
 * @param share how many of the forms are planted in each column: each third, say
 */
export function plantedRows(share = 1): { good: PlantedRow[]; bad: PlantedRow[]; secrets: number } {
  let secrets = 0;
  const good: PlantedRow[] = [];
  const bad: PlantedRow[] = [];
  for (const table of CANONICAL_TABLES) {
    for (const [name, column] of Object.entries(table.columns)) {
      const { fits, forms } = formsFor(name, column);
      for (const form of forms.filter((_, index) => (index + secrets) % share === 0)) {
        secrets += 1;
        const cells = { ...cellsOf(table, secrets), [name]: inColumn(name, form(secrets)) };
        (fits ? good : bad).push({ table: table.name, column: name, cells });
      }
    }
  }
  return { good, bad, secrets };
}

type Form = (secret: number) => string;

const emailForms: readonly Form[] = EMAIL_FORMS.map(
  (form) => (secret) => form(`jmeno${secret}.tajne@obchod.cz`),
);

function phoneForms(form: PhoneForm): readonly Form[] {
  const upTo: readonly PhoneForm[] = ['international', 'written', 'any'];
  return upTo
    .slice(0, upTo.indexOf(form) + 1)
    .flatMap((some) => PHONE_FORMS[some].map((write) => (secret: number) => write(numberOf(secret))));
}

/** Valid ones: 731 is a mobile network. */
function numberOf(secret: number): string {
  return `731${String(100_000 + secret)}`;
}

function formsFor(name: string, column: Column): { fits: boolean; forms: readonly Form[] } {
  const { text } = column.stored(name, (cell) => cell)[0] ?? { text: null };
  const all = [...emailForms, ...phoneForms('any')];
  if (text === 'hash') return { fits: true, forms: all };
  if (text === null || text === 'choice')
    return { fits: false, forms: column.expected.includes('number') ? emailForms : all };
  // What is nothing but an address there is the merchant's own.
  if (text === 'senderAddress') return { fits: true, forms: emailForms.slice(-2) };
  return { fits: true, forms: [...emailForms, ...phoneForms(TEXT_KINDS[text].phones)] };
}

/** A row that fits, with an own key. */
function cellsOf(table: CanonicalTable, row: number): Record<string, string> {
  const cells = Object.entries(table.columns).flatMap(([name, column]) =>
    column.required || name === 'profile_id' || name === 'external_product_id'
      ? [[name, cellOf(column, row)]]
      : [],
  );
  return Object.fromEntries(cells);
}

function cellOf({ expected, jsonSchema }: Column, row: number): string {
  const [choice] = (jsonSchema.enum as readonly string[] | undefined) ?? [];
  if (choice !== undefined) return choice;
  if (expected.includes('ISO 8601')) return '2026-03-01T10:00:00';
  if (expected.includes('date')) return '2026-03-01';
  if (expected.includes('number')) return '1';
  return expected === 'must be JSON' ? '{}' : `x${row}`;
}

/** What holds JSON gets it as a text in an object. */
function inColumn(name: string, text: string): string {
  const column = CANONICAL_TABLES.find((table) => name in table.columns)?.columns[name];
  return column?.expected === 'must be JSON' ? JSON.stringify({ some: [text], [text]: 1 }) : text;
}

/** The rows of each table as a CSV file. */
export function asCsv(rows: readonly PlantedRow[]): Record<string, string> {
  return filesOf(rows, 'csv', (table, cells) => {
    const names = Object.keys(canonicalTable(table).columns);
    const line = (values: readonly string[]) =>
      values.map((value) => `"${value.replaceAll('"', '""')}"`).join(',');
    return [line(names), ...cells.map((row) => line(names.map((name) => row[name] ?? '')))].join('\n');
  });
}

/** The rows of each table as an NDJSON file. */
export function asNdjson(rows: readonly PlantedRow[]): Record<string, string> {
  return filesOf(rows, 'ndjson', (_, cells) => cells.map((row) => JSON.stringify(row)).join('\n'));
}

function filesOf(
  rows: readonly PlantedRow[],
  extension: string,
  write: (table: string, cells: readonly PlantedRow['cells'][]) => string,
): Record<string, string> {
  const byTable = Map.groupBy(rows, ({ table }) => table);
  return Object.fromEntries(
    [...byTable].map(([table, planted]) => [
      `${table}.${extension}`,
      `${write(
        table,
        planted.map(({ cells }) => cells),
      )}\n`,
    ]),
  );
}

const ADDRESS = /jmeno\d+\.tajne/gi;
const NUMBER = /73[^\p{L}\p{N}]{0,3}1[^\p{L}\p{N}]{0,6}10[0-6][^\p{L}\p{N}]{0,6}\d{3}(?!\d)/gu;

/** Finds the planted data that a text has, in any of their forms. */
export function plantedIn(text: string): string[] {
  const plain = text
    .replace(/[\uff01-\uff5e]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))
    .replace(/%20/g, ' ');
  return [...plain.matchAll(ADDRESS), ...plain.matchAll(NUMBER)].map(([found]) => found);
}
