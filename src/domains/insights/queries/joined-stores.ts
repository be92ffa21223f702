import { field } from '../../../answers/fields/field.ts';
import type { Answer, StoreAnswer } from '../../../answers/tool.ts';
import { InputError } from '../../../errors.ts';

export const businessesField = field({
  key: 'businesses',
  type: 'list',
  definition: 'The stores asked about.',
  fields: [
    field({ key: 'business_id', type: 'text', definition: 'As asked.' }),
    field({ key: 'name', type: 'text', definition: 'Business data.' }),
  ],
});

interface StoreTable {
  readonly currency: string | null;
  readonly groups_count: number;
  readonly compared_range: object | null;
  readonly columns: readonly {
    readonly name: string;
    readonly unit: string | null;
    readonly definition: string;
  }[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

const BUSINESS = { name: 'business', unit: null, definition: 'The store. Business data.' };

/**
 * The tables of stores under each other, with the store in front of each row. Nothing is added up over stores: their customers may be the
 * same people, and each has its own days.
 *
 * @throws InputError for money in several currencies
 */
export function joinTables(answers: readonly StoreAnswer[]): Answer {
  const tables = answers.map(({ answer }) => answer.result as StoreTable);
  const [first] = tables as [StoreTable];
  const businesses = answers.map(({ business_id, name }) => ({ business_id, name }));
  const notes = [...new Set(answers.flatMap(({ answer }) => answer.notes ?? []))];
  if (answers.length === 1) {
    const { business_id: _, ...table } = { business_id: '', ...first };
    return { result: { businesses, ...table }, notes };
  }
  const currencies = [...new Set(tables.map(({ currency }) => currency ?? 'none set'))];
  const money = first.columns.find(({ unit }) => unit === 'money')?.name;
  if (currencies.length > 1 && money !== undefined)
    throw new InputError(
      `${money} is money, and these stores have ${currencies.join(', ')}: such rows cannot stand under each other`,
      'Ask for the stores of one currency at a time, or for metrics that are no money.',
    );
  const isUnique = new Set(answers.map(({ name }) => name)).size === answers.length;
  const ofStores = answers.flatMap(({ business_id, name, answer }) =>
    (answer.notes ?? []).map((note) => `${isUnique ? name : business_id}: ${note}`),
  );
  return {
    result: {
      businesses,
      currency: currencies.length === 1 ? first.currency : null,
      groups_count: tables.reduce((sum, { groups_count }) => sum + groups_count, 0),
      compared_range: first.compared_range,
      columns: [BUSINESS, ...first.columns],
      rows: tables.flatMap(({ rows }, place) => {
        const store = businesses[place] as (typeof businesses)[number];
        return rows.map((row) => [isUnique ? store.name : store.business_id, ...row]);
      }),
    },
    notes: [...ofStores, 'Each store has its own total: nothing is added up over stores.'],
  };
}
