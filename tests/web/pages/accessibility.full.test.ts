import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { violations } from './axe.ts';
import { type PageServer, servePages } from './page-server.ts';
import { PAGE_STATES } from './page-states.ts';

const DESKTOP = { width: 1280, height: 900 };
const NARROWEST = { width: 320, height: 640 };

let server: PageServer;
let browser: Browser;
let context: BrowserContext;

beforeAll(async () => {
  server = await servePages();
  browser = await launchBrowser();
  context = await browser.newContext({ viewport: DESKTOP });
});

afterAll(async () => {
  await browser?.close();
  await server?.close();
});

test.concurrent.each(Object.keys(PAGE_STATES))('%s', { timeout: 60_000 }, async (name) => {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
  await page.goto(`${server.url}/${name}`);

  const language = /-in-(\w\w)$/.exec(name)?.[1] ?? 'en';
  expect(await page.locator('html').getAttribute('lang')).toBe(language);
  expect(await page.title()).toMatch(/^\S.* · Storesight$/);
  expect(
    await page.locator('script, style, [style], iframe, object, main img, main svg:not(.chart)').count(),
  ).toBe(0);
  await expectKeyboardReachesAll(page);

  for (const details of await page.locator('details').all())
    if ((await details.getAttribute('open')) === null) await details.locator('> summary').click();
  for (const [colorScheme, viewport] of [
    ['light', DESKTOP],
    ['dark', DESKTOP],
    ['dark', NARROWEST],
    ['light', NARROWEST],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    expect(await violations(page), `${colorScheme}, ${viewport.width} px`).toEqual([]);
    expect(await scrollWidth(page), `${colorScheme}, ${viewport.width} px`).toBeLessThanOrEqual(
      viewport.width,
    );
  }
  expect(await smallTargets(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await page.close();
});

function scrollWidth(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth');
}

/** What is to be touched and is less than 44 px high, by its label where it has one. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(`
    [...document.querySelectorAll('main a, nav a, button, summary, select, textarea, input:not([type=hidden])')]
      .map((element) => element.closest('label') ?? element)
      .filter((element) => element.checkVisibility() && element.getBoundingClientRect().height < 43.5)
      .map((element) => element.outerHTML)`);
}

/**
 * Tab from the top meets every control in the order of the page, in sight and with a ring around it. Of
 * radios with one name, Tab stops at one; within a date it stops at the day, the month, the year and the
 * calendar.
 */
async function expectKeyboardReachesAll(page: Page): Promise<void> {
  const { count, focused, dates } = await page.evaluate<{
    count: number;
    focused: number;
    dates: number;
  }>(`(() => {
    const controls = [...document.querySelectorAll('a[href], button, summary, select, textarea, input:not([type=hidden]), [tabindex="0"]')]
      .filter((element) => element.checkVisibility())
      .filter((element, index, all) => element.type !== 'radio' || element === (
        all.find(({ name, checked }) => name === element.name && checked) ??
        all.find(({ name }) => name === element.name)));
    window.stops = [];
    addEventListener('focusin', ({ target }) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(target);
      const { top, bottom, height } = target.getBoundingClientRect();
      const inSight = height > 0 && bottom > 0 && top < innerHeight;
      stops.push([controls.indexOf(target), outlineStyle, outlineWidth, inSight].join(' '));
    });
    const dates = controls.filter(({ type }) => type === 'date').length;
    return { count: controls.length, focused: controls.indexOf(document.activeElement), dates };
  })()`);
  // Where a field has the focus at first, Shift+Tab leads back to the beginning.
  for (let step = 0; step < focused; step += 1) await page.keyboard.press('Shift+Tab');
  const before = Math.max(focused, 0);
  for (let step = focused < 0 ? 0 : 1; step < count + 3 * dates; step += 1) await page.keyboard.press('Tab');
  const stops = await page.evaluate<string[]>('stops');
  const stop = (position: number) => `${position} solid 3px true`;
  const back = Array.from({ length: before }, (_, index) => stop(before - 1 - index));
  const forth = Array.from({ length: count }, (_, index) => stop(index)).slice(focused < 0 ? 0 : 1);
  expect(stops).toEqual([...back, ...forth]);
  await page.evaluate('document.activeElement.blur()');
}
