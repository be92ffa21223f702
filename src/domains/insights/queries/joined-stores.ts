import { field } from '../../../answers/fields/field.ts';
import type { Answer, StoreAnswer } from '../../../answers/tool.ts';
import { InputError } from '../../../errors.ts';

export const businessesField = field({
  key: 'businesses',
  type: 'list',
  of: 'text',
  definition: 'Names of the stores, as asked; ids where two have one name. Business data.',
});

interface StoreTable {
  readonly currency: string | null;
  readonly groups_count: number;
  readonly compared_range: object | null;
  readonly columns: readonly string[];
  readonly units: Readonly<Record<string, string>>;
  readonly definitions: Readonly<Record<string, string>>;
  readonly rows: readonly (readonly (string | number | null)[])[];
}

/**
 * The tables of stores under each other, with the store in front of each row. Nothing is added up over
 * stores: their customers may be the same people, and each has its own days.
 *
 * @throws InputError for money in several currencies
 */
export function joinTables(answers: readonly StoreAnswer[]): Answer {
  const tables = answers.map(({ answer }) => answer.result as StoreTable);
  const [first] = tables as [StoreTable];
  const isUnique = new Set(answers.map(({ name }) => name)).size === answers.length;
  const businesses = answers.map(({ business_id, name }) => (isUnique ? name : business_id));
  const notes = [...new Set(answers.flatMap(({ answer }) => answer.notes ?? []))];
  if (answers.length === 1) {
    const { business_id: _, ...table } = { business_id: '', ...first };
    return { result: { businesses, ...table }, notes };
  }
  const currencies = [...new Set(tables.map(({ currency }) => currency ?? 'none set'))];
  const money = Object.entries(first.units).find(([, unit]) => unit === 'money')?.[0];
  if (currencies.length > 1 && money !== undefined)
    throw new InputError(
      `${money} is money, and these stores have ${currencies.join(', ')}: such rows cannot stand under each other`,
      'Ask for the stores of one currency at a time, or for metrics that are no money.',
    );
  const ofStores = answers.flatMap(({ answer }, place) =>
    (answer.notes ?? []).map((note) => `${businesses[place]}: ${note}`),
  );
  return {
    result: {
      businesses,
      currency: currencies.length === 1 ? first.currency : null,
      groups_count: tables.reduce((sum, { groups_count }) => sum + groups_count, 0),
      compared_range: first.compared_range,
      columns: ['business', ...first.columns],
      units: first.units,
      definitions: first.definitions,
      rows: tables.flatMap(({ rows }, place) => {
        return rows.map((row) => [businesses[place] ?? null, ...row]);
      }),
    },
    notes: [...ofStores, 'Each store has its own total: nothing is added up over stores.'],
  };
}
