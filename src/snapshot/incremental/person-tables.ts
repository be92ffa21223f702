import { links } from '../../domains/messages/tables/campaign-contents.ts';
import { products } from '../../domains/products/tables/products.ts';
import { touchNames } from '../../domains/traffic/tables/journeys.ts';
import type { MadeTable, ModelTable, PersonKey } from '../../model-table/model-table.ts';
import { buildOrder } from '../build/build-order.ts';
import { MODEL_TABLES } from '../build/model-tables.ts';

export interface PersonTable {
  readonly table: MadeTable;
  readonly key: PersonKey;
}

/** The tables of a model file whose rows belong to one person each, also those that no tool reads. */
export const PERSON_TABLES: readonly PersonTable[] = buildOrder(MODEL_TABLES).flatMap((table) =>
  table.scope === null || table.scope === 'whole' ? [] : [{ table, key: table.scope.person }],
);

export const WHOLE_TABLES: readonly ModelTable[] = MODEL_TABLES.filter(({ scope }) => scope === 'whole');

/**
 * Tables that are made of all persons' rows, and that tables of one person may read nevertheless: made of the
 * rows of some persons alone, they say the same of these persons.
 */
export const SAME_FOR_SOME: ReadonlyMap<MadeTable, string> = new Map<MadeTable, string>([
  [products, 'what the catalogue says of a product, and its key, which is kept with the store'],
  [links, 'the URLs that a person clicked are there, with their keys, which are kept with the store'],
  [
    touchNames,
    'the names of the sessions of a person are there, with their keys, which are kept with the store',
  ],
]);

export const isOfPersons = ({ scope }: MadeTable): boolean => scope !== null && scope !== 'whole';

/**
 * The tables that say whose an order is, or a send, and the column that does. An order may have no customer,
 * but it is a visitor's.
 */
export const OWNERS = {
  order_key: { table: 'orders', person: 'visitor_key' },
  send_key: { table: 'sends', person: 'customer_key' },
} as const;
