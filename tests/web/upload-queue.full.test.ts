import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { UncertainImportError } from '../../src/snapshot/import-errors.ts';
import { ImportQueue } from '../../src/uploads/import-queue.ts';
import { runUpload } from '../../src/uploads/run-upload.ts';
import { startTestServer } from '../server/test-server.ts';
import type { TestInstance } from '../support/test-instance.ts';
import type { Page } from './cookie-browser.ts';
import { bringFiles, type FileOfForm, isAtWork, sendFiles, titleOf, untilEnded } from './upload-person.ts';
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
} from './upload-shop.ts';

/**
 * Files that a person brings while others, or the same person, bring and publish too: what waits, and what a
 * server that stops leaves.
 */
openUploadShop();

/** A form of one file, of which the last bytes come when they are let. */
function slowForm(baseUrl: string, path: string, content = HEADER) {
  const { hostname, port } = new URL(baseUrl);
  const cookie = `storesight_session=${ada.browser.cookie(baseUrl, 'storesight_session')}`;
  const head =
    '--x\r\nContent-Disposition: form-data; name="files"; filename="late.csv"\r\nContent-Type: text/csv\r\n\r\n';
  const tail = '\r\n--x--\r\n';
  const request = [
    `POST ${path} HTTP/1.1`,
    ...[`Host: ${hostname}:${port}`, `Origin: ${baseUrl}`, `Cookie: ${cookie}`, 'Connection: close'],
    'Content-Type: multipart/form-data; boundary=x',
    ...[`Content-Length: ${(head + content + tail).length}`, '', ''],
  ].join('\r\n');
  const socket = connect(Number(port), hostname);
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.resume().write(request + head + content.slice(0, 10));
  return {
    /** Waits until the server writes the files of `forms` forms. */
    async begun(page: Page, forms = 1) {
      const writing = () => filesOf(page).filter((name) => name.startsWith('.part-')).length;
      await expect.poll(writing, { timeout: 10_000 }).toBe(forms);
    },
    async end() {
      socket.write(content.slice(10) + tail);
      await ended;
    },
  };
}

describe('a server', () => {
  it('is published only as it was seen', async () => {
    const seen = await bring(ORDERS);
    const again = await bringFiles(ada, `${seen.url}/files`, [['b.csv', HEADER]]);
    await publish(await bring(['o.csv', HEADER + order(5, '2026-03-05 15:40:14 +0100')]));
    const late = await ada.browser.submit(again, {}, '/publish');
    expect([late.status, late.text]).toEqual([
      409,
      expect.stringContaining('have changed since you checked'),
    ]);
    await publish(await check(late));
    expect(await revenue()).toBe(42.5);
  });

  /** One whose imports wait until they are let on. */
  async function slowServer(context: Parameters<typeof runUpload>[0] = test.instance) {
    const waiting: (() => void)[] = [];
    const log = { info: () => {}, warn: () => {}, error: () => {} };
    const imports = new ImportQueue(
      test.instance,
      async (run, stop) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.push(resolve);
        stop.addEventListener('abort', () => resolve());
        await promise;
        if (!stop.aborted) await runUpload(context, run);
      },
      log,
    );
    const slow = await startTestServer(test, { imports });
    await ada.browser.submit(
      await ada.browser.follow(await ada.browser.get(`${slow.baseUrl}/stores`)),
      { email: ada.email, password: ada.password },
      '/sign-in',
    );
    /** Files are checked as they come: their check waits. */
    const begin = async (...files: FileOfForm[]) =>
      ada.browser.follow(await sendFiles(ada, `${slow.baseUrl}/stores/${shop.business_id}/uploads`, files));
    const goOn = async () => {
      await expect.poll(() => waiting.length).toBeGreaterThan(0);
      waiting.shift()?.();
    };
    return { ...slow, imports, begin, goOn };
  }

  it('imports one after the other, shows the place in the line, and what can be done meanwhile', async () => {
    const slow = await slowServer();
    const first = await slow.begin(ORDERS);
    expect(titleOf(first)).not.toBe('Waiting for other imports');
    const second = await slow.begin(['b.csv', HEADER]);
    expect(titleOf(second)).toBe('Waiting for other imports');
    expect(second.text).toContain('1 import is before it.');
    expect(second.headers.get('Refresh')).toBe('3');
    expect((await ada.browser.get(`${second.url}?reload=no`)).headers.get('Refresh')).toBeNull();
    for (const what of ['check', 'discard', 'files']) {
      const url = `${second.url}/${what}`;
      const form = new FormData();
      form.append('files', new Blob(['x']), 'x.csv');
      const busy = await (what === 'files' ? ada.browser.upload(url, form) : ada.browser.post(url, {}));
      expect([what, busy.status]).toEqual([what, 409]);
    }
    const stopped = await ada.browser.follow(await ada.browser.submit(second, {}, '/stop'));
    expect(stopped.text).toContain('The work was stopped, and nothing was changed.');
    await slow.goOn();
    expect(titleOf(await untilEnded(ada, first))).toBe('Check and publish');
    await slow.stop();
  });

  it('publishes nothing that was checked before what was published while it waited', async () => {
    const [page, other] = [
      await check(await bring(ORDERS)),
      await check(await bring(['o.csv', HEADER + order(5, '2026-03-05 15:40:14 +0100')])),
    ];
    const slow = await slowServer();
    const there = (checked: Page) => ada.browser.get(slow.baseUrl + checked.url.pathname);
    const begun = [];
    for (const checked of [page, other])
      begun.push(await ada.browser.submit(await there(checked), {}, '/publish'));
    const [first, second] = begun as [Page, Page];
    await slow.goOn();
    expect(titleOf(await untilEnded(ada, first))).toBe('Published');
    await slow.goOn();
    const refused = await untilEnded(ada, second);
    expect(refused.text).toContain('have changed since the files were checked; check them again');
    expect(filesOf(other)).toEqual(['o.csv']);
    expect(await revenue()).toBe(32.5);
    await slow.stop();
  });

  it('publishes what was checked after another was published while the check waited', async () => {
    const other = await check(await bring(['o.csv', HEADER + order(5, '2026-03-05 15:40:14 +0100')]));
    const slow = await slowServer();
    const publishing = await ada.browser.submit(
      await ada.browser.get(slow.baseUrl + other.url.pathname),
      {},
      '/publish',
    );
    const checking = await slow.begin(ORDERS);
    await slow.goOn();
    expect(titleOf(await untilEnded(ada, publishing))).toBe('Published');
    await slow.goOn();
    const checked = await untilEnded(ada, checking);
    const begun = await ada.browser.submit(checked, {}, '/publish');
    await slow.goOn();
    expect(titleOf(await untilEnded(ada, begun))).toBe('Published');
    expect(await revenue()).toBe(42.5);
    await slow.stop();
  });

  it('says that it does not know where nobody knows whether an import is served', async () => {
    const checked = await check(await bring(ORDERS));
    const copier = {
      copy: () => Promise.reject(new UncertainImportError('the control database went away')),
      forget: () => Promise.resolve(),
    } as unknown as NonNullable<TestInstance['instance']['copier']>;
    const slow = await slowServer({ ...test.instance, copier });
    const there = await ada.browser.get(slow.baseUrl + checked.url.pathname);
    const publishing = await ada.browser.submit(there, {}, '/publish');
    await slow.goOn();
    const uncertain = await untilEnded(ada, publishing);
    expect(uncertain.text).toContain('It is not known whether this import took effect');
    expect(uncertain.text).not.toContain('Nothing was imported');
    expect(filesOf(checked)).toEqual(['orders_export_1.csv']);
    await slow.stop();
  });

  it('keeps no file that comes while the others are checked, and says so', async () => {
    const slow = await slowServer();
    const page = await slow.begin(ORDERS);
    await slow.goOn();
    const first = await untilEnded(ada, page);
    const late = slowForm(slow.baseUrl, `${page.url.pathname}/files`);
    await late.begun(page);
    const checking = await ada.browser.follow(await ada.browser.submit(first, {}, '/check'));
    await late.end();
    await slow.goOn();
    const checked = await untilEnded(ada, checking);
    expect(titleOf(checked)).toBe('Check and publish');
    expect(checked.text).toContain('files came while others were checked or published');
    expect(filesOf(page)).toEqual(['orders_export_1.csv']);
    expect(checked.text).not.toContain('late.csv');
    await slow.stop();
  });

  it('keeps the file of the form that ends first, and says that another came while it was checked', async () => {
    const page = await bring(ORDERS);
    const forms = [1, 2].map((number) =>
      slowForm(
        server.baseUrl,
        `${page.url.pathname}/files`,
        HEADER + order(number, '2026-03-05 15:40:14 +0100'),
      ),
    );
    await forms[1]?.begun(page, 2);
    for (const form of forms) await form.end();
    const checked = await untilEnded(ada, await ada.browser.get(page.url));
    expect(filesOf(page).sort()).toEqual(['late.csv', 'orders_export_1.csv']);
    expect(checked.text).toContain('files came while others were checked or published');
    expect((await check(checked)).text).toContain('3 in the files, 3 stored');
  });

  it('does not claim that nothing was changed by a publish that was stopped', async () => {
    const checked = await check(await bring(ORDERS));
    const slow = await slowServer();
    const there = await ada.browser.get(slow.baseUrl + checked.url.pathname);
    const publishing = await ada.browser.follow(await ada.browser.submit(there, {}, '/publish'));
    await ada.browser.submit(publishing, {}, '/stop');
    const stopped = await untilEnded(ada, publishing);
    expect(stopped.text).toContain('Unless the store’s page shows a newer import, nothing was changed.');
    expect(stopped.text).not.toContain('stopped, and nothing');
    await slow.stop();
  });

  it('takes a bounded number of imports', async () => {
    const slow = await slowServer();
    const people = [ada, ...(await Promise.all([1, 2].map(() => joinAs(shop))))];
    const refused: Page[] = [];
    let begun = 0;
    for (const person of people) {
      if (person !== ada)
        await person.browser.submit(
          await person.browser.follow(await person.browser.get(`${slow.baseUrl}/stores`)),
          { email: person.email, password: person.password },
          '/sign-in',
        );
      for (let count = 0; count < 9; count += 1) {
        const url = `${slow.baseUrl}/stores/${shop.business_id}/uploads`;
        const page = await person.browser.follow(await sendFiles(person, url, [['a.csv', HEADER]]));
        if (isAtWork(page)) begun += 1;
        else refused.push(await person.browser.submit(page, {}, '/check'));
      }
    }
    // One runs, five of its person wait, and eight of the store.
    expect(begun).toBe(9);
    expect(refused.map(({ status }) => status)).toEqual(Array.from({ length: 18 }, () => 503));
    expect(refused[2]?.text).toContain('As many imports of yours are waiting as may.');
    expect(refused.at(-1)?.text).toContain('As many imports of this store are waiting as may.');
    expect(refused.at(-1)?.text).toContain('Your files are kept: try again');
    await slow.imports.close();
    await slow.stop();
  });

  it('that stops leaves the files, and says that nothing was changed', async () => {
    const slow = await slowServer();
    const page = await slow.begin(ORDERS);
    await slow.imports.close();
    const interrupted = await ada.browser.get(page.url);
    expect(interrupted.text).toContain('The work was interrupted');
    expect(filesOf(page)).toEqual(['orders_export_1.csv']);
    await slow.stop();
  });

  it('that was killed is noticed by the next one, where the work can begin anew', async () => {
    const page = await bring(ORDERS);
    // As a killed server leaves it: at work, and its lock free.
    await test.instance.control
      .updateTable('uploads')
      .set({ state: 'running', run_id: 'gone', step: 'reading', done_percent: 10 })
      .where('upload_id', '=', idOf(page))
      .execute();
    const interrupted = await ada.browser.get(page.url);
    expect(interrupted.text).toContain('The work was interrupted');
    expect(titleOf(await publish(await check(interrupted)))).toBe('Published');
    expect(await revenue()).toBe(32.5);
  });
});
