import { randomUUID } from 'node:crypto';
import { InputError } from '../../errors.ts';
import type { ControlDatabase } from '../database/control-database.ts';
import type { BusinessSettings } from './business-settings.ts';

/** What a person said about the files. */
export interface UploadAnswers {
  /** The values of the import's settings by their names. */
  readonly settings: Readonly<Record<string, string>>;
  /** How many bad rows may be left out: a number, or a share such as `1%`. */
  readonly max_rejects: string;
  /**
   * What columns of tables mean, as a person chose it: texts of mappings by their names. Older versions wrote
   * none.
   */
  readonly mappings?: Readonly<Record<string, string>>;
  /**
   * Settings of the store that change with the work: what settings are changed to, or what files tell of a
   * new store.
   */
  readonly store?: StoreChange;
}

export type StoreChange = Partial<Pick<BusinessSettings, 'timezone' | 'primary_currency' | 'vat_rate'>>;

/**
 * Work on settings needs no files: the data of the store are built anew with other settings, in the same line
 * as imports.
 */
export type UploadWork = 'check' | 'publish' | 'settings';

/** Export files that somebody brought in the browser, on their way into a business. */
export interface Upload {
  readonly upload_id: string;
  readonly business_id: string;
  readonly account_id: string;
  /** `waiting` and `running` while a server holds its lock; `published` at the end. */
  readonly state: 'open' | 'waiting' | 'running' | 'published';
  /** What is done, or was done last. */
  readonly work: UploadWork | null;
  readonly run_id: string | null;
  /** How far the work is, in words for a person. */
  readonly step: string | null;
  readonly done_percent: number | null;
  readonly answers: UploadAnswers;
  /** A publish has the snapshot here that was the newest when the files were checked. */
  readonly builds_on: string | null;
  /** What the last work came to, in JSON; null when there was none since files or answers changed. */
  readonly outcome: string | null;
  /** The trouble with files that were to come. */
  readonly trouble: string | null;
  readonly created_at: string;
  readonly changed_at: string;
}

export interface UploadFile {
  readonly file_number: number;
  readonly name: string;
  readonly bytes: number;
}

const NOTHING_SAID: UploadAnswers = { settings: {}, max_rejects: '0' };

export async function createUpload(
  control: ControlDatabase,
  { account_id, business_id }: Pick<Upload, 'account_id' | 'business_id'>,
): Promise<string> {
  const upload_id = randomUUID();
  const now = new Date().toISOString();
  await control
    .insertInto('uploads')
    .values({
      upload_id,
      business_id,
      account_id,
      state: 'open',
      work: null,
      run_id: null,
      step: null,
      done_percent: null,
      answers: JSON.stringify(NOTHING_SAID),
      builds_on: null,
      outcome: null,
      trouble: null,
      created_at: now,
      changed_at: now,
    })
    .execute();
  return upload_id;
}

export async function readUpload(
  control: ControlDatabase,
  uploadId: string,
): Promise<(Upload & { readonly files: readonly UploadFile[] }) | null> {
  const row = await control
    .selectFrom('uploads')
    .selectAll()
    .where('upload_id', '=', uploadId)
    .executeTakeFirst();
  if (row === undefined) return null;
  return { ...toUpload(row), files: await filesOf(control, uploadId) };
}

function filesOf(control: ControlDatabase, uploadId: string): Promise<UploadFile[]> {
  return control
    .selectFrom('upload_files')
    .select(['file_number', 'name', 'bytes'])
    .where('upload_id', '=', uploadId)
    .orderBy('file_number')
    .execute();
}

/** The uploads of a business that are not published, newest first. */
export async function openUploads(
  control: ControlDatabase,
  businessId: string,
): Promise<(Upload & { readonly files: readonly UploadFile[] })[]> {
  const rows = await control
    .selectFrom('uploads')
    .selectAll()
    .where('business_id', '=', businessId)
    .where('state', '<>', 'published')
    .orderBy('created_at', 'desc')
    .execute();
  return Promise.all(
    rows.map(async (row) => ({ ...toUpload(row), files: await filesOf(control, row.upload_id) })),
  );
}

/** All uploads of a business, published ones too, as ids. */
export async function uploadsOf(control: ControlDatabase, businessId: string): Promise<string[]> {
  const rows = await control
    .selectFrom('uploads')
    .select('upload_id')
    .where('business_id', '=', businessId)
    .execute();
  return rows.map(({ upload_id }) => upload_id);
}

/** The uploads that nobody has touched since a moment. */
export async function uploadsBefore(control: ControlDatabase, moment: Date): Promise<string[]> {
  const rows = await control
    .selectFrom('uploads')
    .select('upload_id')
    .where('changed_at', '<', moment.toISOString())
    .execute();
  return rows.map(({ upload_id }) => upload_id);
}

export async function allUploads(control: ControlDatabase): Promise<ReadonlySet<string>> {
  const rows = await control.selectFrom('uploads').select('upload_id').execute();
  return new Set(rows.map(({ upload_id }) => upload_id));
}

/** Bytes of files that are kept: of the account, and of all. */
export async function uploadedBytes(
  control: ControlDatabase,
  accountId: string,
): Promise<{ readonly account: number; readonly all: number; readonly uploads: number }> {
  const rows = await control
    .selectFrom('uploads')
    .leftJoin('upload_files', 'upload_files.upload_id', 'uploads.upload_id')
    .select(['uploads.upload_id', 'account_id', 'bytes'])
    .where('state', '<>', 'published')
    .execute();
  const sum = (some: typeof rows) => some.reduce((total, { bytes }) => total + Number(bytes ?? 0), 0);
  const own = rows.filter(({ account_id }) => account_id === accountId);
  return {
    account: sum(own),
    all: sum(rows),
    uploads: new Set(own.map(({ upload_id }) => upload_id)).size,
  };
}

/**
 * What was found out about the files before no longer holds. Several forms may bring files at once: no two
 * have a name or a number, since the first thing done locks the upload.
 *
 * @param file what it is called beside those that are there; and how it comes to its place, before anybody
 *   reads it
 * @returns how many files there are now
 * @throws InputError when something works on the upload, or it is gone
 */
export async function addUploadFile(
  control: ControlDatabase,
  uploadId: string,
  {
    bytes,
    nameOf,
    keep,
  }: {
    readonly bytes: number;
    readonly nameOf: (taken: ReadonlySet<string>) => string;
    readonly keep: (name: string) => Promise<void>;
  },
): Promise<number> {
  return control.transaction().execute(async (transaction) => {
    if (!(await change(transaction, uploadId, { outcome: null })))
      throw new InputError(
        'files came while others were checked or published, or discarded, so they were not kept',
      );
    const before = await filesOf(transaction, uploadId);
    const name = nameOf(new Set(before.map((file) => file.name)));
    const file_number = Math.max(0, ...before.map((file) => file.file_number)) + 1;
    await transaction
      .insertInto('upload_files')
      .values({ upload_id: uploadId, file_number, name, bytes })
      .execute();
    await keep(name);
    return before.length + 1;
  });
}

/**
 * @param remove takes it from its place, before another may have its name
 * @returns whether there was such a file in an upload that nothing works on
 */
export async function removeUploadFile(
  control: ControlDatabase,
  uploadId: string,
  fileNumber: number,
  remove: (name: string) => Promise<void>,
): Promise<boolean> {
  return control.transaction().execute(async (transaction) => {
    if (!(await change(transaction, uploadId, { outcome: null }))) return false;
    const gone = await transaction
      .deleteFrom('upload_files')
      .where('upload_id', '=', uploadId)
      .where('file_number', '=', fileNumber)
      .returning('name')
      .executeTakeFirst();
    if (gone !== undefined) await remove(gone.name);
    return gone !== undefined;
  });
}

/**
 * Writes down the trouble of an upload, even while it is being worked on or published: its uploader must
 * learn of it.
 */
export async function tellTrouble(
  control: ControlDatabase,
  uploadId: string,
  trouble: string | null,
): Promise<void> {
  await control
    .updateTable('uploads')
    .set({ trouble, changed_at: new Date().toISOString() })
    .where('upload_id', '=', uploadId)
    .execute();
}

/** What an import of an upload does. */
export interface UploadRun {
  readonly work: UploadWork;
  readonly answers: UploadAnswers;
  /**
   * A publish has the snapshot here that the check was built on. What a check is built on is known when it
   * runs.
   */
  readonly builds_on: string | null;
}

/**
 * Begins work on an upload that nothing works on. @returns what the run is called; null when something does
 */
export async function beginRun(
  control: ControlDatabase,
  uploadId: string,
  run: UploadRun,
): Promise<string | null> {
  const run_id = randomUUID();
  const isBegun = await change(control, uploadId, {
    state: 'waiting',
    run_id,
    work: run.work,
    step: null,
    done_percent: null,
    outcome: null,
    answers: JSON.stringify(run.answers),
    builds_on: run.builds_on,
    trouble: null,
  });
  return isBegun ? run_id : null;
}

/** Tells how far a run is. A run that was given up says nothing more. */
export async function tellRun(
  control: ControlDatabase,
  runId: string,
  told: Partial<Pick<Upload, 'state' | 'step' | 'done_percent' | 'outcome'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await control
    .updateTable('uploads')
    .set({ ...told, changed_at: new Date().toISOString() })
    .where('run_id', '=', runId)
    .where('state', 'in', ['waiting', 'running'])
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Keeps what a run found out by itself beside what a person answered. */
export async function answerRun(
  control: ControlDatabase,
  runId: string,
  answers: UploadAnswers,
): Promise<void> {
  await control
    .updateTable('uploads')
    .set({ answers: JSON.stringify(answers) })
    .where('run_id', '=', runId)
    .where('state', '=', 'running')
    .execute();
}

/** @returns whether nothing works on it, so that it is removed */
export async function removeUpload(control: ControlDatabase, uploadId: string): Promise<boolean> {
  const { numDeletedRows } = await control
    .deleteFrom('uploads')
    .where('upload_id', '=', uploadId)
    .where('state', 'in', ['open', 'published'])
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Changes an upload that is open. */
async function change(
  control: ControlDatabase,
  uploadId: string,
  values: Record<string, string | number | null>,
): Promise<boolean> {
  const { numUpdatedRows } = await control
    .updateTable('uploads')
    .set({ ...values, changed_at: new Date().toISOString() })
    .where('upload_id', '=', uploadId)
    .where('state', '=', 'open')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function toUpload(row: { readonly answers: string } & Omit<UploadRow, 'answers'>): Upload {
  return {
    ...row,
    state: row.state as Upload['state'],
    work: row.work as Upload['work'],
    answers: JSON.parse(row.answers),
  };
}

type UploadRow = Omit<Upload, 'state' | 'work'> & { readonly state: string; readonly work: string | null };
