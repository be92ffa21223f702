import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { App } from '../oauth/app.ts';
import { Person } from '../oauth/person.ts';
import { startTestServer, type TestServer } from '../server/test-server.ts';
import { launchBrowser } from '../support/browser.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';

/** Hosts in a browser open the sign-in in a window of its own and wait for its answer. */
let test: TestInstance;
let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  test = await createTestInstance();
  server = await startTestServer(test);
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await server.stop();
  await test[Symbol.asyncDispose]();
});

it('the window of a host still knows who opened it when it comes back', async () => {
  let authorize = '';
  const host = createServer((request, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end(
      request.url?.startsWith('/callback')
        ? '<script>opener.postMessage(location.search, "*"); close()</script>'
        : `<script>onmessage = ({ data }) => { document.title = data }</script><button onclick="open('${authorize}', 'sign-in', 'popup')">Connect</button>`,
    );
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => host.once('listening', resolve));
  const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`;
  const person = await Person.join(test.instance.control, [await test.createBusiness()]);
  authorize = (await App.register(server.baseUrl, `${origin}/callback`)).authorize({
    redirect_uri: `${origin}/callback`,
  }).url.href;

  const page = await browser.newPage();
  await page.goto(origin);
  const opened = page.waitForEvent('popup');
  await page.getByRole('button', { name: 'Connect' }).click();
  const popup = await opened;
  await popup.getByLabel('E-mail address').fill(person.email);
  await popup.getByLabel('Password', { exact: true }).fill(person.password);
  await popup.getByRole('button', { name: 'Sign in' }).click();
  await popup.getByRole('button', { name: 'Allow' }).click();
  await page.waitForFunction("document.title.includes('code=')");
  expect(await page.title()).toContain('iss=');
  await page.close();
  host.close();
});
