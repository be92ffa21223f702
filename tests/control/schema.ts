import { DatabaseSync } from 'node:sqlite';
import type { TestPostgres } from '../support/postgres.ts';

/**
 * Everything that the schema of a control database says, its version included, for a comparison with another.
 */
export async function readSchema(postgres: TestPostgres, place: string): Promise<unknown> {
  return place.startsWith('postgres:') ? postgresSchema(postgres, place) : sqliteSchema(place);
}

function sqliteSchema(file: string) {
  using sqlite = new DatabaseSync(file, { readOnly: true });
  return {
    version: sqlite.prepare('pragma user_version').get()?.user_version,
    objects: sqlite.prepare('select type, name, sql from sqlite_schema order by type, name').all(),
  };
}

async function postgresSchema(postgres: TestPostgres, url: string) {
  return {
    version: await postgres.query(url, 'select * from storesight_schema'),
    columns: await postgres.query(
      url,
      `select table_name, column_name, data_type, is_nullable, column_default, collation_name
      from information_schema.columns where table_schema = 'public' order by 1, ordinal_position`,
    ),
    constraints: await postgres.query(
      url,
      `select conrelid::regclass::text as on_table, pg_get_constraintdef(oid) as definition
      from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
    ),
    indexes: await postgres.query(
      url,
      `select tablename, indexdef from pg_indexes where schemaname = 'public' order by 1, 2`,
    ),
  };
}
