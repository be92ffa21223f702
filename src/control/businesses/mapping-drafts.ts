import type { ControlDatabase } from '../database/control-database.ts';

/**
 * Choices of columns that a person has not tried yet: of one table, by the fingerprint of its titles, in one
 * store.
 */
interface DraftKey {
  readonly account_id: string;
  readonly business_id: string;
  readonly fingerprint: string;
}

/** The most drafts of an account in one store: the oldest is deleted when another one comes. */
const MOST_DRAFTS = 20;
const DAYS_KEPT = 30;
/** A form has 300 columns at most. What is longer than any of those is not kept. */
const LONGEST = 2 ** 15;

/** Null where there is none, or nobody touched it for a month. */
export async function readMappingDraft(
  control: ControlDatabase,
  { account_id, business_id, fingerprint }: DraftKey,
  now = Date.now(),
): Promise<unknown> {
  const row = await control
    .selectFrom('mapping_drafts')
    .select('choices')
    .where('account_id', '=', account_id)
    .where('business_id', '=', business_id)
    .where('fingerprint', '=', fingerprint)
    .where('changed_at', '>=', oldest(now))
    .executeTakeFirst();
  return row === undefined ? null : JSON.parse(row.choices);
}

/** Keeps a draft in the place of the one before, and removes old ones of everybody. */
export async function keepMappingDraft(
  control: ControlDatabase,
  { account_id, business_id, fingerprint }: DraftKey,
  said: unknown,
  now = Date.now(),
): Promise<void> {
  const choices = JSON.stringify(said);
  if (choices.length > LONGEST) return;
  const changed_at = new Date(now).toISOString();
  await control
    .insertInto('mapping_drafts')
    .values({ account_id, business_id, fingerprint, choices, changed_at })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'business_id', 'fingerprint']).doUpdateSet({ choices, changed_at }),
    )
    .execute();
  await control.deleteFrom('mapping_drafts').where('changed_at', '<', oldest(now)).execute();
  const own = await control
    .selectFrom('mapping_drafts')
    .select('fingerprint')
    .where('account_id', '=', account_id)
    .where('business_id', '=', business_id)
    .orderBy('changed_at', 'desc')
    .orderBy('fingerprint')
    .execute();
  for (const { fingerprint } of own.slice(MOST_DRAFTS))
    await removeMappingDraft(control, { account_id, business_id, fingerprint });
}

export async function removeMappingDraft(
  control: ControlDatabase,
  { account_id, business_id, fingerprint }: DraftKey,
): Promise<void> {
  await control
    .deleteFrom('mapping_drafts')
    .where('account_id', '=', account_id)
    .where('business_id', '=', business_id)
    .where('fingerprint', '=', fingerprint)
    .execute();
}

function oldest(now: number): string {
  return new Date(now - DAYS_KEPT * 86_400_000).toISOString();
}
