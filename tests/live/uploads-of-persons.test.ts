import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { addUploadFile, beginRun, createUpload, readUpload } from '../../src/control/businesses/uploads.ts';
import { createAccount } from '../../src/control/people/accounts.ts';
import { forgetPersons } from '../../src/live/forget-persons.ts';
import { lockUpload, makeFilesFolder } from '../../src/uploads/upload-folder.ts';
import { importFiles } from '../ingest/shop.ts';
import { createTestInstance } from '../support/test-instance.ts';

/** A person is deleted while files of the shop, with their address in clear, wait to be published. */

const test = await createTestInstance({ isOneEngineEnough: true });
afterAll(() => test[Symbol.asyncDispose]());

it('takes uploads that nobody published along, and waits for one that is being imported', async () => {
  const { control, data } = test.instance;
  const { account_id } = await createAccount(control, { email: 'owner@example.com', password: null });
  const [shop, other] = [await test.createBusiness(), await test.createBusiness()];
  const profiles = 'profile_id,email\nann,ann@example.com\nbob,bob@example.com\n';
  for (const business of [shop, other]) await importFiles(test, business, { 'profiles.csv': profiles });
  const bring = async (business_id: string) => {
    const id = await createUpload(control, { account_id, business_id });
    const path = join(await makeFilesFolder(data, id), 'profiles.csv');
    writeFileSync(path, profiles);
    await addUploadFile(control, id, { bytes: 60, nameOf: () => 'profiles.csv', keep: async () => {} });
    return { id, path };
  };
  const [upload, ofOther] = [await bring(shop.business_id), await bring(other.business_id)];

  const answers = { settings: {}, max_rejects: '0' };
  const run = await beginRun(control, upload.id, { work: 'publish', answers, builds_on: null });
  expect(run).not.toBeNull();
  {
    using _atWork = lockUpload(data, upload.id);
    await expect(forgetPersons(test.instance, shop, ['ann@example.com'])).rejects.toThrow(
      'files that came in the browser are being imported into this business',
    );
    expect(existsSync(upload.path)).toBe(true);
  }

  // Its server was killed: nothing holds it any more.
  const report = await forgetPersons(test.instance, shop, ['ann@example.com']);
  expect(report).toMatchObject({ rows: { profiles: 1 }, uploads_discarded: 1 });
  expect(existsSync(upload.path)).toBe(false);
  expect(await readUpload(control, upload.id)).toBeNull();
  expect(readFileSync(ofOther.path, 'utf8')).toBe(profiles);
});
