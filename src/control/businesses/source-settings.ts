import type { ControlDatabase } from '../database/control-database.ts';

type SourceSettings = Readonly<Record<string, string>>;

/** What was said about a business's sources before, by the name of the source. */
export async function readSourceSettings(
  control: ControlDatabase,
  business_id: string,
): Promise<ReadonlyMap<string, SourceSettings>> {
  const rows = await control
    .selectFrom('source_settings')
    .select(['source', 'name', 'setting'])
    .where('business_id', '=', business_id)
    .execute();
  const settings = new Map<string, SourceSettings>();
  for (const { source, name, setting } of rows)
    settings.set(source, { ...settings.get(source), [name]: setting });
  return settings;
}

export async function saveSourceSettings(
  control: ControlDatabase,
  business_id: string,
  source: string,
  settings: SourceSettings,
): Promise<void> {
  for (const [name, setting] of Object.entries(settings)) {
    await control
      .insertInto('source_settings')
      .values({ business_id, source, name, setting })
      .onConflict((conflict) => conflict.columns(['business_id', 'source', 'name']).doUpdateSet({ setting }))
      .execute();
  }
}

/** @returns whether there was something to forget */
export async function forgetSourceSettings(
  control: ControlDatabase,
  business_id: string,
  source: string,
): Promise<boolean> {
  const { numDeletedRows } = await control
    .deleteFrom('source_settings')
    .where('business_id', '=', business_id)
    .where('source', '=', source)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
