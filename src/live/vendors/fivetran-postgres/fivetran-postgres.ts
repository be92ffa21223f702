import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { FoundTable } from '../../../sources/fivetran/choose-schemas.ts';
import type { Access, Check, Json, MissingScope, Page, Stream, Vendor } from '../../vendor.ts';
import { Warehouse } from './postgres-warehouse.ts';

/** Fivetran writes the rows of an order into several tables one after the other. */
const MOST_BAD_ROWS = { percent: 5 } as const;

/**
 * All tables whenever one of them has changed: an order stands in a dozen of them, and its rows mean
 * something only together. They are read at one moment, and imported as files of them are.
 */
const tables: Stream = {
  name: 'tables',
  // The files are recognised by what they hold.
  landsAs: '',
  async *read(access: Access, cursor: Json): AsyncGenerator<Page> {
    const warehouse = await Warehouse.open(access);
    try {
      const found = await warehouse.tables(access);
      const states: Record<string, string> = {};
      for (const table of found)
        states[`${table.schema}.${table.name}`] = await warehouse.stateOf(access, table);
      if (isDeepStrictEqual(states, cursor)) return;
      const files = found.map((table, index) => ({
        // Several schemas may have tables of one name.
        name: `${table.name.toLowerCase()}-${index + 1}.csv`,
        content: ReadableStream.from(rowsOf(warehouse, access, table, index === found.length - 1)),
      }));
      yield { rows: [], downloads: files, mostBadRows: MOST_BAD_ROWS, cursor: states };
    } finally {
      await warehouse.close();
    }
  },
};

/** The rows of a table. Nothing is kept open at the merchant's while files are imported. */
async function* rowsOf(warehouse: Warehouse, access: Access, table: FoundTable, isLast: boolean) {
  yield* warehouse.csvOf(access, table);
  if (isLast) await warehouse.close();
}

export const fivetranPostgres: Vendor = {
  name: 'fivetran-postgres',
  title: 'Fivetran’s tables in PostgreSQL',
  settings: z.object({
    schema: z
      .string()
      .regex(/^[^\p{Cc}]+$/u, 'may not hold control characters')
      .optional()
      .meta({
        title: 'Schema',
        description:
          'where several schemas are of one system: those of this store, for example shopify_cz (several with commas between them)',
      }),
  }),
  secrets: {
    connectionString: {
      title: 'Connection string',
      description:
        'the connection string, for example postgresql://reader:password@db.example.com:5432/warehouse',
    },
    certificateAuthority: {
      title: 'Certificate authority',
      description:
        'the certificate of the authority of the server (PEM), as one line of Base64, where it is none that everybody knows',
      isOptional: true,
      isRare: true,
    },
  },
  // A look for changes costs the database a look through its tables.
  usualInterval: 3600,
  streams: [tables],
  check: (access) =>
    Warehouse.use(access, async (warehouse): Promise<Check> => {
      const found = await warehouse.tables(access);
      const { host, port, database } = warehouse.server;
      const schemas = (tables: readonly FoundTable[]) => [...new Set(tables.map(({ schema }) => schema))];
      // The shop's own schema says whose store it is; the other schemas may come and go.
      const ofShop = found.filter(({ source }) => source === found[0]?.source);
      return {
        account: `${database} (${schemas(found).join(', ')})`,
        accountId: JSON.stringify([host, port, database, ...schemas(ofShop)]),
        missing: missingOf(found),
      };
    }),
};

/** Tables that are not there, or may not be read, of the systems that have some. */
function missingOf(found: readonly FoundTable[]): MissingScope[] {
  return [...Map.groupBy(found, ({ source }) => source)].flatMap(([source, read]) =>
    Object.entries(source.tables).flatMap(([name, { absent }]) =>
      absent === undefined || read.some(({ table }) => table === name)
        ? []
        : [{ scope: `the table ${name} (${source.title})`, costs: absent }],
    ),
  );
}
