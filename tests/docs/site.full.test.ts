import { execFile } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launchBrowser } from '../support/browser.ts';

const SITE = 'site/dist';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/** As a host of files serves it. */
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const file = join(SITE, pathname.endsWith('/') ? `${pathname}index.html` : pathname);
  if (!existsSync(file)) return void response.writeHead(404).end();
  response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' });
  response.end(readFileSync(file));
});

let browser: Browser;
let origin: string;

beforeAll(async () => {
  await promisify(execFile)('npm', ['run', '-s', 'docs']);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  browser = await launchBrowser();
}, 400_000);

afterAll(async () => {
  await browser?.close();
  server.close();
});

it('leads to pages, headings and files that are there', () => {
  const pages = new Map(
    globSync('**/*.html', { cwd: SITE }).map((path) => [`/${path}`, readFileSync(join(SITE, path), 'utf8')]),
  );
  expect(pages.size).toBeGreaterThan(200);
  const idsOf = (html: string) => new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
  const ids = new Map([...pages].map(([path, html]) => [path, idsOf(html)]));
  const links = [...pages].flatMap(([page, html]) =>
    [...html.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link = '']) => ({ page, link })),
  );
  const own = links.filter(({ link }) => !/^\w+:/.test(link));
  expect(own.filter(({ link }) => link.includes('#')).length).toBeGreaterThan(500);
  const broken = own.filter(({ page, link }) => {
    const { pathname, hash } = new URL(link.replaceAll('&amp;', '&'), `http://site${page}`);
    const path = pathname.endsWith('/') ? `${pathname}index.html` : decodeURI(pathname);
    const isThere = existsSync(join(SITE, path));
    return (
      !isThere ||
      (hash !== '' && page !== '/404.html' && !ids.get(path)?.has(decodeURIComponent(hash.slice(1))))
    );
  });
  expect(broken).toEqual([]);
});

it('lists for agents every page as it was written', () => {
  const listed = [...readFileSync(join(SITE, 'llms.txt'), 'utf8').matchAll(/\]\((\/[^)]+)\)/g)];
  expect(listed.length).toBeGreaterThan(200);
  for (const [, path = ''] of listed)
    expect(readFileSync(join(SITE, path), 'utf8')).toBe(readFileSync(path.slice(1), 'utf8'));
});

it('finds a word in a browser, in light and dark, and asks nobody else', async () => {
  const page = await browser.newPage({ colorScheme: 'dark' });
  const foreign: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) foreign.push(request.url());
  });
  await page.goto(`${origin}/`);
  await page.locator('html.dark').waitFor({ state: 'attached' });
  await page.keyboard.press('Control+k');
  await page.fill('#localsearch-input', 'channel_transition_matrix');
  await page.locator('#localsearch-list a').first().click();
  await page.waitForURL(/\/docs\//);
  expect(await page.locator('main').textContent()).toContain('channel_transition_matrix');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.locator('html:not(.dark)').waitFor({ state: 'attached' });
  await page.close();
  expect(foreign).toEqual([]);
});
