import type { StoredColumn } from '../column-kinds.ts';
import { literal, type Session } from '../duckdb-session.ts';
import { hashKey } from '../keyed-hash.ts';
import { businessGate, type GateBusiness } from './business-gate.ts';
import { landedHashSql, readLandedHash } from './landed-hashes.ts';
import { rejectedValue } from './rejected-value.ts';
import { TEXT_KINDS, type TextKindName } from './text-kinds.ts';

/** The number of cells of each table and column in which something personal was found and taken out. */
export type PersonalDataRemoved = Record<string, Record<string, number>>;

/**
 * Gives a session what SQL needs for personal data: `keyed_hash`, the functions of `gatedValue` and of the
 * rejects, and those that phone columns are made of.
 *
 * @param isOfLanded whether all files are landed rows, in which hashes stand for e-mail addresses and phone
 *   numbers
 * @returns what is counted while statements run
 */
export function defineGate(
  session: Session,
  secret: Buffer,
  business: GateBusiness,
  { isOfLanded = false } = {},
): PersonalDataRemoved {
  const gate = businessGate(secret, business, { isOfLanded });
  const key = hashKey(secret, business.business_id);
  session.defineKeyedHash(key, isOfLanded ? landedHashSql : undefined);
  const landed = isOfLanded ? readLandedHash : () => null;
  const removed: PersonalDataRemoved = {};
  session.defineFunction(
    'without_personal_data',
    4,
    (table, column, kind, text) => {
      const passed = gate.pass(kind as TextKindName, text);
      if (passed.hadPersonalData) {
        removed[table] ??= {};
        removed[table][column] = (removed[table][column] ?? 0) + 1;
      }
      return passed.text;
    },
    { constants: 3 },
  );
  session.defineFunction('stored_text', 2, (kind, text) => gate.pass(kind as TextKindName, text).text, {
    constants: 1,
  });
  session.defineFunction('rejected_value', 2, (value, row) => rejectedValue(gate, value, row));
  session.defineFunction('shown_text', 1, (text) => gate.shown(text));
  session.defineFunction('phone_number', 1, (text) =>
    landed(text) === null ? gate.phones.internationalForm(text) : text,
  );
  session.defineFunction('phone_country', 1, (number) => {
    const known = landed(number);
    return known === null ? gate.phones.countryOf(number) : known.country;
  });
  return removed;
}

/** SQL: a stored value of a column as it came through the gate. */
export function gatedValue(table: string, column: StoredColumn): string {
  const { name, type, text } = column;
  if (text === null || text === 'hash' || text === 'choice') return `"${name}"`;
  const passed = (value: string) =>
    `case when regexp_matches(${value}, ${literal(TEXT_KINDS[text].signs)})
      then without_personal_data('${table}', '${name}', '${text}', ${value}) else ${value} end`;
  return type === 'varchar'
    ? passed(`"${name}"`)
    : `list_transform("${name}", lambda part: ${passed('part')})`;
}
