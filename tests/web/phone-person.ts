import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { CommandLine } from '../cli/command-line.ts';
import { ask } from '../server/requests.ts';
import { startLoopbackApp } from './loopback-app.ts';

/** A new user with a phone without JavaScript, who may make stores. */
export const PASSWORD = 'a password of several words';

export async function newPerson(cli: CommandLine, browser: Browser, email: string) {
  await cli.json(['account', 'create', '--email', email]);
  await cli.json(['manager', 'add', '--account', email, '--new-stores']);
  const { password_link } = await cli.json(['account', 'invite', '--account', email]);
  const context = await browser.newContext({
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    javaScriptEnabled: false,
  });
  return { context, page: await context.newPage(), password_link: String(password_link) };
}

/** Connects an app in the same browser, and asks it. */
export async function answersOf(url: string, context: BrowserContext, page: Page): Promise<unknown> {
  const loopback = await startLoopbackApp(new URL(url).origin);
  try {
    const authorization = loopback.app.authorize();
    await page.goto(authorization.url.href);
    await page.getByRole('radio', { name: /All my stores/ }).check();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('Back at the app.').waitFor();
    const answer = loopback.answers.at(-1);
    if (answer === undefined) throw new Error('the app got no answer');
    const { access_token = '' } = await loopback.app.redeem(answer, authorization);
    const [listed = ''] = await ask(url, access_token, 'list_businesses', {});
    const [store] = JSON.parse(listed).result as { business_id: string }[];
    const all = { from_date: '2020-01-01T00:00:00', to_date: '2026-12-31T23:59:59' };
    const asked = { business_id: store?.business_id, ...all };
    const [text = ''] = await ask(url, access_token, 'order_statistics', asked);
    expect((await context.cookies()).length).toBeGreaterThan(0);
    return JSON.parse(text);
  } finally {
    await loopback.close();
  }
}

/** The page reloads itself until the work has ended. */
export async function ended(page: Page): Promise<void> {
  await expect
    .poll(() => titleOf(page), { timeout: 120_000, interval: 500 })
    .not.toMatch(/^(About to begin|Waiting for other imports|Checking the files|Publishing)$/);
}

export async function titleOf(page: Page): Promise<string> {
  // While it reloads there is none for a moment.
  return (
    (await page
      .locator('h1')
      .textContent({ timeout: 5_000 })
      .catch(() => 'Publishing')) ?? ''
  );
}
