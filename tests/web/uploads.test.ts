import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readUpload, uploadedBytes } from '../../src/control/businesses/uploads.ts';
import { grantAccess } from '../../src/control/people/accounts.ts';
import { removeManager } from '../../src/control/people/managers.ts';
import { lockBusiness } from '../../src/snapshot/lock-business.ts';
import { lockUpload, removeOldUploads } from '../../src/uploads/upload-folder.ts';
import type { Person } from '../oauth/person.ts';
import { zipOf } from '../sources/zip-archive.ts';
import type { Page } from './cookie-browser.ts';
import { bringFiles, type FileOfForm, titleOf, untilEnded } from './upload-person.ts';
import {
  ada,
  bring,
  check,
  filesOf,
  HEADER,
  idOf,
  joinAs,
  ORDERS,
  openUploadShop,
  order,
  publish,
  revenue,
  server,
  shop,
  test,
  uploadsUrl,
} from './upload-shop.ts';

/**
 * Files that a person brings in the browser: from the form to what tools answer, and every way in which they
 * are refused.
 */
openUploadShop();

describe('an export', () => {
  it('is uploaded, checked, published and answered; nothing changes before', async () => {
    const uploaded = await bring(ORDERS);
    expect(titleOf(uploaded)).toBe('Check and publish');
    expect(uploaded.text).toContain('2 orders, €32.50, March 2026. Does this match Shopify?');
    expect(uploaded.text).toContain('orders_export_1.csv');
    const [file = ''] = filesOf(uploaded);
    const path = join(test.instance.data.uploads, idOf(uploaded), 'files', file);
    expect(statSync(path).mode & 0o777).toBe(0o600);

    const checked = await check(uploaded);
    expect(titleOf(checked)).toBe('Check and publish');
    expect(checked.text).toContain('2 in the files, 2 stored, 2 counted');
    expect(checked.text).toContain('32.5 EUR in the files, 32.5 EUR stored, 32.5 EUR counted');
    expect(checked.text).toContain('No difference.');
    expect(await revenue()).toBe(0);

    const published = await publish(checked);
    expect(titleOf(published)).toBe('Published');
    expect(await revenue()).toBe(32.5);
    // They held clear e-mail addresses.
    expect(filesOf(published)).toEqual([]);
    const store = await ada.browser.get(`${server.baseUrl}/stores/${shop.business_id}`);
    expect(store.text).toContain('2026');
    expect(store.text).not.toContain('Not published yet');
    expect(server.logText()).toContain('files were uploaded');
    for (const secret of [ada.email, 'ann@example.com', 'orders_export_1'])
      expect(server.logText()).not.toContain(secret);
  });

  it('comes in several files, archives and times', async () => {
    const packed = zipOf([{ name: 'first.csv', content: HEADER + order(1, '2026-03-05 15:40:14 +0100') }]);
    const gzipped = gzipSync(HEADER + order(2, '2026-03-05 15:40:14 +0100'));
    const page = await bring(['a.zip', new Uint8Array(packed)], ['b.csv.gz', new Uint8Array(gzipped)]);
    const more = await bringFiles(ada, `${page.url}/files`, [
      ['orders export.csv', HEADER + order(3, '2026-03-05 15:40:14 +0100')],
    ]);
    expect(titleOf(more)).toBe('Check and publish');
    expect(more.text).toContain('3 in the files, 3 stored, 3 counted');
    expect(more.text).toContain('30 EUR in the files, 30 EUR stored, 30 EUR counted');
  });

  it('a file of our own format is recognised by its name, which stays', async () => {
    const csv = 'external_product_id,name,price\nA,Good,1\n';
    const page = await bring(['products.csv', csv], ['products.csv', csv.replace('A,', 'B,')]);
    expect(filesOf(page).sort()).toEqual(['products-2.csv', 'products.csv']);
    expect(page.text).toContain('Files of Storesight’s own format.');
    expect(page.text).toContain('2 read, 2 loaded');
  });

  it('can lose a file again, and be discarded', async () => {
    const page = await bring(ORDERS, ['b.csv', 'x']);
    const without = await ada.browser.follow(
      await ada.browser.post(`${page.url}/remove`, { file_number: '2' }),
    );
    expect(filesOf(page)).toEqual(['orders_export_1.csv']);
    const discarded = await ada.browser.follow(await ada.browser.submit(without, {}, '/discard'));
    expect(discarded.text).toContain('The upload and its files are deleted here.');
    expect(existsSync(join(test.instance.data.uploads, idOf(page)))).toBe(false);
    expect((await ada.browser.get(page.url)).status).toBe(404);
  });
});

describe('files that another manager of the store brought', () => {
  it('tell their numbers, and are published, by those alone who brought them or may read the store', async () => {
    const keeper = await joinAs(shop);
    const reader = await joinAs(shop);
    await grantAccess(test.instance.control, reader.account_id, shop.business_id, [
      'DISPLAY_ANALYTICS_DASHBOARD',
    ]);
    const checked = await bring(ORDERS);
    const seen = async (person: Person) => (await person.browser.get(checked.url)).text;
    const numbers = /32\.5|in the files|2 read/;
    expect(await seen(ada)).toMatch(numbers);
    expect(await seen(reader)).toMatch(numbers);
    expect(await seen(keeper)).not.toMatch(numbers);
    expect(await seen(keeper)).toContain('your account may not see the numbers of this store');
    expect((await keeper.browser.post(`${checked.url}/publish`, {})).status).toBe(403);
    expect(titleOf(await publish(checked))).toBe('Published');
    expect(await seen(reader)).toMatch(numbers);
    expect(await seen(keeper)).not.toMatch(numbers);
  });
});

describe('what the files do not say', () => {
  it('is asked in the words of the command line, answered, and remembered', async () => {
    const asked = await bring(['o.csv', HEADER + order(1, '3/4/2026 22:36', '')]);
    expect(titleOf(asked)).toBe('One question before we continue');
    expect(asked.text).toContain('a time without an offset from UTC in &quot;created_at&quot;');
    expect(asked.text).toContain('a date that may begin with the day or the month');
    expect(asked.text).toContain('o.csv line 2');
    expect(asked.text).not.toContain('--timezone');

    const answers = { timezone: 'Europe/Prague', dates: 'dmy', currency: 'EUR' };
    const published = await publish(await check(asked, answers));
    expect(titleOf(published)).toBe('Published');
    const april = { from_date: '2026-04-03T00:00:00', to_date: '2026-04-03T23:59:59' };
    expect(await test.ask('order_statistics', { business_id: shop.business_id, ...april })).toMatchObject({
      orders_revenues: 10,
    });
    const again = await bring(['o.csv', HEADER + order(2, '3/4/2026 22:36', '')]);
    expect(titleOf(again)).toBe('Check and publish');
  });

  it('the meaning of each status is asked', async () => {
    const created = '2026-03-05 15:40:14 +0100';
    const asked = await bring([
      'o.csv',
      HEADER +
        order(1, created, 'EUR', '10.00', 'Bezahlt') +
        order(2, created, 'EUR', '5.00', 'Storniert <b>'),
    ]);
    expect(asked.text).toContain('Bezahlt');
    expect(asked.text).toContain('Storniert &lt;b&gt;');
    const fields = new URLSearchParams();
    for (const [name, meaning] of [
      ['Bezahlt', 'paid'],
      ['Storniert <b>', 'cancelled'],
    ] as const) {
      fields.append('status_name', name);
      fields.append('status_meaning', meaning);
    }
    const checked = await untilEnded(ada, await ada.browser.post(`${asked.url}/check`, fields));
    expect(checked.text).toContain('2 in the files, 2 stored, 1 counted');
    expect(checked.text).toContain('1 order is cancelled: 5 EUR (not counted)');
  });

  it('bad rows raise the question how many may be left out', async () => {
    const csv = 'external_product_id,name,price\nA,Good,1\nB,<i>Bad</i>,a lot\n';
    const page = await bring(['products.csv', csv]);
    expect(page.text).toContain('1 of 2 rows cannot be read.');
    expect(page.text).toContain('Line 3 of <bdi>products.csv</bdi>');
    expect(page.text).toContain('a lot');
    const rows = await ada.browser.get(`${page.url}/rejected-rows.csv`);
    expect(rows.text.split('\n').slice(0, 2)).toEqual([
      'file,line,column,value,reason',
      expect.stringMatching(/^products\.csv,3,price,a lot,/),
    ]);
    const colleague = await joinAs(shop);
    expect((await colleague.browser.get(`${page.url}/rejected-rows.csv`)).status).toBe(303);
    const tried = await ada.browser.post(`${page.url}/check`, { max_rejects: 'many' });
    expect(tried.text).toContain('a number, or a share such as 1%');
    expect(page.text).toContain('Leave out 1 row');
    const checked = await check(page);
    expect(checked.text).toContain('2 read, 1 loaded, 1 rejected');
    expect(checked.text).toContain('1 of 2 rows are bad and left out');
  });

  it('is refused in words where it is no answer', async () => {
    const page = await bring(ORDERS);
    for (const [fields, words] of [
      [{ timezone: 'Mars/Olympus' }, 'Not understood: timezone Mars/Olympus'],
      [{ dates: 'x' }, 'it must be dmy'],
      [{ currency: '<b>' }, 'it must be an ISO 4217 code'],
      [{ 'exported-at': '31.10.2026' }, 'it must be a date'],
      [{ 'orders-from': 'klaviyo' }, 'it must be ga4'],
      [{ max_rejects: '101%' }, 'a share such as 1%'],
    ] as const) {
      const refused = await ada.browser.post(`${page.url}/check`, fields as Record<string, string>);
      expect([words, refused.status, titleOf(refused)]).toEqual([words, 400, 'Check and publish']);
      expect(refused.text).toContain(words);
      expect(refused.text).not.toContain('<b>');
    }
  });
});

describe('what was said before', () => {
  const settingsOf = async (page: Page) =>
    (await readUpload(test.instance.control, idOf(page)))?.answers.settings;

  it('is as it was when a form does not have its field, and gone when its field is emptied', async () => {
    // Nothing of it is imported, whatever was said.
    const page = await bring(['notes.csv', 'a,b\n1,2\n']);
    const said = { 'orders-from': 'ga4', 'exported-at': '2026-10-31', timezone: 'Europe/Prague' };
    await untilEnded(ada, await ada.browser.post(`${page.url}/check`, said));
    expect(await settingsOf(page)).toEqual(said);
    await untilEnded(ada, await ada.browser.post(`${page.url}/check`, { max_rejects: '1' }));
    expect(await settingsOf(page)).toEqual(said);
    const form = await ada.browser.get(page.url);
    const fields = [...form.text.matchAll(/name="has_field" value="(.*?)"/g)].map(([, name]) => name ?? '');
    expect(fields).toEqual(['exported-at', 'orders-from']);
    // As a browser sends it: the hidden fields, and nothing of a box that is not ticked.
    const unticked = new URLSearchParams({ 'exported-at': '' });
    for (const name of fields) unticked.append('has_field', name);
    await untilEnded(ada, await ada.browser.post(`${page.url}/check`, unticked));
    expect(await settingsOf(page)).toEqual({ timezone: 'Europe/Prague' });
  });
});

describe('a file that cannot be read', () => {
  const WIDE = `${Array.from({ length: 10_000 }, (_, index) => `column_${index}`).join(',')}\n`;

  it.each<[string, FileOfForm, string]>([
    ['of another kind', ['notes.csv', 'a,b\n1,2\n'], 'nothing to import was recognised'],
    [
      'of 10,000 columns',
      ['wide.csv', WIDE],
      'wide.csv has more than 2000 columns, which is the most that are read',
    ],
    [
      'that is a workbook',
      ['orders.xlsx', new Uint8Array(zipOf([{ name: 'a.xml', content: 'x' }]))],
      'is a workbook of a spreadsheet',
    ],
    ['that is a report', ['r.csv', 'Total sales,Product title\n1,2\n'], 'which cannot be imported'],
    [
      'that is cut off',
      ['orders.csv.gz', new Uint8Array(gzipSync(ORDERS[1] as string).subarray(0, 60))],
      'orders.csv.gz',
    ],
    [
      'that unpacks without end',
      [
        'bomb.csv.gz',
        new Uint8Array(gzipSync(HEADER + order(1, '2026-03-05 15:40:14 +0100').repeat(1_000_000))),
      ],
      'unpacks to more than 200 times its size',
    ],
  ])('%s is refused, and says why', async (_name, file, words) => {
    const page = await bring(file);
    expect(titleOf(page)).toBe('Uploaded files');
    expect(page.text).toContain('Nothing was imported.');
    expect(page.text).toContain(words);
    expect(page.text).not.toContain(test.instance.data.root);
    expect(await revenue()).toBe(0);
  });

  it('a file with formulas is data: nothing runs, and nothing is shown', async () => {
    const formula = '"=HYPERLINK(""http://evil.example"",""x"")"';
    const page = await bring([
      'o.csv',
      HEADER + order(1, '2026-03-05 15:40:14 +0100').replace('Mug', formula),
    ]);
    expect(titleOf(page)).toBe('Check and publish');
    expect(page.text).not.toContain('HYPERLINK');
  });
});

it('names of files are kept without what does harm in a path or a page, or is personal', async () => {
  const kept: Readonly<Record<string, string>> = {
    '../../../etc/passwd.csv': 'passwd.csv',
    'C:\\Users\\ann\\orders.csv': 'orders.csv',
    '.bashrc': 'bashrc',
    'ann@example.com.csv': '(e-mail)',
    '+420 601 234 567.csv': '(phone).csv',
    'a\u202eb\u0000c.csv': 'a_b_c.csv',
    '<script>alert(1)</script>.csv': 'script_.csv',
    [`${'x'.repeat(250)}.csv.gz`]: `${'x'.repeat(100)}.csv.gz`,
    [`${'注'.repeat(84)}.csv`]: `${'注'.repeat(60)}.csv`,
    'objednávky 2026.csv': 'objednávky 2026.csv',
    '..': 'file',
  };
  // Each says what it was called.
  const page = await bring(...Object.keys(kept).map((told): FileOfForm => [told, told]));
  const folder = join(test.instance.data.uploads, idOf(page), 'files');
  const told = filesOf(page).map((file) => [readFileSync(join(folder, file), 'utf8'), file]);
  expect(Object.fromEntries(told)).toEqual(kept);
  expect(page.text).not.toContain('<script>alert');
  expect(page.text).not.toContain('ann@example.com');
});

describe('whose upload it is', () => {
  it("another's answers as one that there is not, and so does one of another store", async () => {
    const other = await test.createBusiness();
    const eve = await joinAs(other);
    const page = await bring(ORDERS);
    const upload = idOf(page);
    const foreign = await eve.browser.get(page.url);
    const unknown = await eve.browser.get(`${server.baseUrl}/stores/00000000-0000-4000-8000-000000000000`);
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
    for (const what of ['files', 'remove', 'check', 'map', 'publish', 'stop', 'discard']) {
      const through = `${server.baseUrl}/stores/${other.business_id}/uploads/${upload}/${what}`;
      for (const url of [`${page.url}/${what}`, through]) {
        const form = new FormData();
        form.append('files', new Blob(['x']), 'x.csv');
        const refused = await (what === 'files' ? eve.browser.upload(url, form) : eve.browser.post(url, {}));
        expect(refused.status, url).toBe(404);
      }
    }
    const form = new FormData();
    form.append('files', new Blob(['x']), 'x.csv');
    expect((await eve.browser.upload(uploadsUrl(), form)).status).toBe(404);
    expect(filesOf(page)).toEqual(['orders_export_1.csv']);
  });

  it('ends with the role', async () => {
    const page = await bring(ORDERS);
    await removeManager(test.instance.control, ada.account_id, shop.business_id);
    expect((await ada.browser.get(page.url)).status).toBe(404);
  });

  it('is asked of who is signed in, and taken from our own pages', async () => {
    const form = () => {
      const files = new FormData();
      files.append('files', new Blob(['x']), 'x.csv');
      return files;
    };
    const stranger = await fetch(uploadsUrl(), {
      method: 'POST',
      body: form(),
      headers: { Origin: server.baseUrl },
      redirect: 'manual',
    });
    expect(stranger.headers.get('Location')).toMatch(/^\/sign-in\?/);
    const cookie = `storesight_session=${ada.browser.cookie(server.baseUrl, 'storesight_session')}`;
    const elsewhere = await fetch(uploadsUrl(), {
      method: 'POST',
      body: form(),
      headers: { Origin: 'https://evil.example', Cookie: cookie },
    });
    expect(elsewhere.status).toBe(403);
  });
});

describe('limits', () => {
  it('a file that is too large is left out, and the others stay', async () => {
    const page = await bring(ORDERS, ['large.csv', 'x'.repeat(1_100_000)], ['b.csv', 'a,b\n']);
    expect(page.text).toContain('large.csv is larger than 1 MB');
    expect(filesOf(page).sort()).toEqual(['b.csv', 'orders_export_1.csv']);
  });

  it('an upload that is too large is not read', async () => {
    const page = await bring(
      ['a', 'x'.repeat(900_000)],
      ['b', 'x'.repeat(900_000)],
      ['c', 'x'.repeat(900_000)],
    );
    expect([page.status, titleOf(page)]).toEqual([413, 'These files are not taken']);
    expect(page.text).toContain('An upload may have 2 MB');
    const small = await bring(['a', 'x'.repeat(900_000)], ['b', 'x'.repeat(900_000)]);
    const more = await bringFiles(ada, `${small.url}/files`, [['c', 'x'.repeat(900_000)]]);
    expect(more.text).toContain('An upload may have 2 MB');
  });

  it('one account has a limit over all its stores', async () => {
    const files = ['a', 'b'].map((name): FileOfForm => [name, 'x'.repeat(950_000)]);
    await bring(...files);
    await bring(...files);
    const page = await bring(...files);
    expect(page.text).toContain('may have 4 MB together');
  });

  it('hold for forms that come at once', async () => {
    const large: FileOfForm[] = ['a', 'b'].map((name) => [name, 'x'.repeat(950_000)]);
    await bring(...large);
    const pages = await Promise.all([bring(...large), bring(...large), bring(...large)]);
    expect(pages.filter(({ status }) => status === 413).length).toBeGreaterThanOrEqual(2);
    const { account } = await uploadedBytes(test.instance.control, ada.account_id);
    expect(account).toBeLessThanOrEqual(4e6);
    // What was refused takes no room.
    expect((await bring(['c', 'x'.repeat(90_000)])).status).toBe(200);
  });

  it('uploads that are not published have a limit', async () => {
    for (let count = 0; count < 10; count += 1) await bring(['a', 'x']);
    const page = await bring(['a', 'x']);
    expect(page.text).toContain('You have 10 uploads that are not published.');
  });

  it.each<[string, RequestInit]>([
    ['a form without files', { body: new URLSearchParams({ files: 'x' }) }],
    [
      'a body without a length',
      {
        body: new Blob(['x']).stream(),
        duplex: 'half',
        headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
      } as RequestInit,
    ],
    ['JSON', { body: '{}', headers: { 'Content-Type': 'application/json' } }],
  ])('%s is no upload', async (_name, init) => {
    const cookie = `storesight_session=${ada.browser.cookie(server.baseUrl, 'storesight_session')}`;
    const headers = { ...init.headers, Origin: server.baseUrl, Cookie: cookie };
    const response = await fetch(uploadsUrl(), { method: 'POST', ...init, headers });
    expect(response.status).toBe(413);
    expect(await response.text()).toContain('Choose files in the form of the page.');
  });

  it('what nobody touched for a day goes, with folders that nobody knows', async () => {
    const page = await bring(ORDERS);
    const place = test.instance;
    await removeOldUploads(place, 24);
    expect(filesOf(page)).toHaveLength(1);
    await removeOldUploads(place, 24, Date.now() + 25 * 3_600_000);
    expect((await ada.browser.get(page.url)).status).toBe(404);
    expect(readdirSync(test.instance.data.uploads)).toEqual([]);
  });

  it.each(['waiting', 'running'])(
    'so does what was %s when its server was killed, but nothing at work',
    async (state) => {
      const [page, atWork] = [await bring(ORDERS), await bring(ORDERS)];
      await test.instance.control
        .updateTable('uploads')
        .set(({ ref }) => ({ state, run_id: ref('upload_id') }))
        .execute();
      const tomorrow = Date.now() + 25 * 3_600_000;
      {
        using _lock = lockUpload(test.instance.data, idOf(atWork));
        await removeOldUploads(test.instance, 24, tomorrow);
        expect(await readUpload(test.instance.control, idOf(page))).toBeNull();
        expect(await readUpload(test.instance.control, idOf(atWork))).toMatchObject({ state });
        expect([filesOf(page), filesOf(atWork)]).toEqual([[], ['orders_export_1.csv']]);
      }
      await removeOldUploads(test.instance, 24, tomorrow);
      expect((await uploadedBytes(test.instance.control, ada.account_id)).account).toBe(0);
    },
  );
});

describe('a connection that breaks', () => {
  it('leaves the files that were whole, and the page says what to do', async () => {
    const { hostname, port } = new URL(server.baseUrl);
    const cookie = `storesight_session=${ada.browser.cookie(server.baseUrl, 'storesight_session')}`;
    const part = (name: string, content: string) =>
      `--x\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n${content}\r\n`;
    const head = [
      `POST /stores/${shop.business_id}/uploads HTTP/1.1`,
      ...[`Host: ${hostname}:${port}`, `Origin: ${server.baseUrl}`, `Cookie: ${cookie}`],
      ...['Content-Type: multipart/form-data; boundary=x', 'Content-Length: 900000', '', ''],
    ].join('\r\n');
    const socket = connect(Number(port), hostname);
    socket.write(head + part('whole.csv', 'a,b\n1,2') + part('broken.csv', 'a,b\n1').slice(0, -2));
    const store = `${server.baseUrl}/stores/${shop.business_id}`;
    const leadsOn = /href="([^"]*\/uploads\/[^"]*)"/;
    const upload = await expect
      .poll(async () => leadsOn.exec((await ada.browser.get(store)).text)?.[1])
      .toBeTruthy()
      .then(async () => leadsOn.exec((await ada.browser.get(store)).text)?.[1] ?? '');
    await expect
      .poll(async () => (await ada.browser.get(`${server.baseUrl}${upload}`)).text)
      .toContain('whole.csv');
    socket.destroy();
    await expect
      .poll(async () => (await ada.browser.get(`${server.baseUrl}${upload}`)).text)
      .toContain('the connection broke before all had come');
    const page = await ada.browser.get(`${server.baseUrl}${upload}`);
    expect(page.text).toContain('Upload what is missing once more');
    expect(filesOf(page)).toEqual(['whole.csv']);
  });
});

describe('work on the files', () => {
  it('waits for other imports of the store, in words', async () => {
    const page = await bring(ORDERS);
    using _lock = lockBusiness(test.instance.data.lock(shop.business_id));
    const refused = await check(page);
    expect(refused.text).toContain('another import of this business is running');
    expect(filesOf(refused)).toHaveLength(1);
  });

  it('begins with a file', async () => {
    const page = await bring(['', '']);
    expect(page.text).toContain('None yet.');
    const refused = await ada.browser.post(`${page.url}/check`, {});
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('Upload a file first.')]);
  });
});
