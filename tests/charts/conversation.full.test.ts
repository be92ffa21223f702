import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MADE_SHOP } from '../../scripts/tool-examples.ts';
import { untabled } from '../../src/answers/rows-as-table.ts';
import { CATALOGUE } from '../../src/catalogue.ts';
import { answerOf, findTool } from '../../src/charts/answered.ts';
import { describeCharts } from '../../src/charts/described-chart.ts';
import { chartResource } from '../../src/mcp/mcp-apps.ts';
import { connectV2, type OfficialClient } from '../mcp/official-clients.ts';
import { signIn, startTestServer, type TestServer } from '../server/test-server.ts';
import { launchBrowser } from '../support/browser.ts';
import { runs } from '../support/runs.ts';
import { createTestInstance, type TestInstance } from '../support/test-instance.ts';
import { QUESTIONS } from './questions.ts';
import { readBack } from './read-back.ts';
import { type Scenario, type StrictHost, startStrictHost } from './strict-host.ts';

/**
 * Every chart of real answers of the real server, in a host that allows nothing beyond the default, in a real
 * browser.
 */

const SCREENSHOTS = process.env.STORESIGHT_SCREENSHOTS;
const UI = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };

type Result = Awaited<ReturnType<OfficialClient['callTool']>>;
type Json = Record<string, unknown>;

let test: TestInstance;
let server: TestServer;
let client: OfficialClient;
let host: StrictHost;
let browser: Browser;
let page: Page;
const complaints: string[] = [];
const calls: string[] = [];

beforeAll(async () => {
  test = await createTestInstance({ isOneEngineEnough: true });
  await test.importDemos(/Kamenice/);
  server = await startTestServer(test);
  const { token } = await signIn(test, [{ business_id: MADE_SHOP }]);
  client = await connectV2(server.mcpUrl, token, { pin: '2026-07-28' }, { extensions: UI });
  host = await startStrictHost(chartResource().text);
  browser = await launchBrowser();
  page = await browser.newPage({ viewport: { width: 720, height: 900 }, hasTouch: true });
  page.on('console', (said) => {
    // What the official bridge tells of each message, and what Chromium says of the sandbox that the
    // specification asks for.
    if (!/^(Parsed|Sending) message|allow-scripts and allow-same-origin/.test(said.text()))
      complaints.push(said.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith('http://127.0.0.1:')) complaints.push(`asked for ${request.url()}`);
  });
  await page.exposeFunction('callTool', (name: string, args: Json) => {
    calls.push(name);
    return client.callTool(name, args);
  });
  await page.goto(host.url);
});

afterAll(async () => {
  await browser?.close();
  await host?.close();
  await client?.close();
  await server?.stop();
  await test?.[Symbol.asyncDispose]();
});

async function open(scenario: Partial<Scenario>): Promise<FrameLocator> {
  complaints.length = 0;
  calls.length = 0;
  const whole = { context: { theme: 'light' }, args: {}, result: {}, canCall: true, ...scenario };
  await page.evaluate(`open(${JSON.stringify(whole)})`);
  return page.frameLocator('#app').frameLocator('#view');
}

async function svgOf(view: FrameLocator): Promise<string> {
  const svg = view.locator('svg.chart');
  await svg.waitFor({ timeout: 10_000 });
  return viewFrame().evaluate<string>(
    `new XMLSerializer().serializeToString(document.querySelector('svg.chart'))`,
  );
}

const viewFrame = () => {
  const frame = page.frames().find((one) => one.url().endsWith('/view'));
  if (frame === undefined) throw new Error('there is no view');
  return frame;
};

async function violations(): Promise<string[]> {
  const frame = viewFrame();
  // The page has the ground of its host, which the checker does not see: that of a host of this theme.
  await frame.evaluate(
    `document.documentElement.style.background = document.documentElement.style.colorScheme === 'dark' ? '#14181d' : '#fff'`,
  );
  await frame.evaluate(`window.axe === undefined && (() => { ${axe.source} })()`);
  const found = await frame.evaluate<axe.AxeResults>(
    `axe.run(document, { resultTypes: ['violations'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], rules: { 'page-has-heading-one': { enabled: false } } })`,
  );
  expect(found.passes.map(({ id }) => id)).toContain('color-contrast');
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target}: ${failureSummary}`),
  );
}

async function picture(name: string): Promise<void> {
  if (SCREENSHOTS === undefined) return;
  await mkdir(SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(SCREENSHOTS, `chart-${name}.png`), fullPage: true });
}

/** Long answers are tables; a picture says of which row and field a number is. */
function objectsOf(tool: string, answer: Json | null | undefined): Json {
  return untabled(answer ?? {}, CATALOGUE.find(({ name }) => name === tool)?.rows?.list ?? null);
}

const tools = CATALOGUE.flatMap((tool) => describeCharts(tool) ?? []);

const SETTINGS = [
  [720, 'light'],
  [320, 'light'],
  [320, 'dark'],
  [720, 'dark'],
] as const;

/** In CI one of them for each question, in turn. Before a release all. */
function settingsFor(question: (typeof QUESTIONS)[number]) {
  const place = QUESTIONS.indexOf(question);
  return SETTINGS.filter((_, index) => runs(1) > 1 || (index + place) % SETTINGS.length === 0);
}

describe.sequential.each(QUESTIONS)('$name', (question) => {
  let result: Result;
  let drawn: string;

  beforeAll(async () => {
    result = await client.callTool(question.tool, question.args);
    expect(result.isError, JSON.stringify(result.content)).not.toBe(true);
  });

  it('is drawn of the data, number by number', async () => {
    const view = await open({ args: question.args, result });
    drawn = await svgOf(view);
    const { marks, problems } = readBack(drawn, objectsOf(question.tool, result.structuredContent));
    expect(problems).toEqual([]);
    expect(marks).toBeGreaterThan(0);
    // The text holds each of them, unless it says that it is a part.
    const text = answerOf({ content: result.content });
    if (text !== null) expect(readBack(drawn, objectsOf(question.tool, text)).problems).toEqual([]);
    expect(calls).toEqual([]);
    expect(complaints).toEqual([]);
    if (question.compare !== undefined) {
      await view.locator('#compare').click();
      await view.locator('path.line.compared').first().waitFor();
    }
    await picture(question.name);
  });

  it('is drawn alike where the host leaves the text alone, and where it leaves nothing and passes questions on', async () => {
    const { structuredContent: _data, _meta: meta, ...text } = result;
    expect(await svgOf(await open({ args: question.args, result: { ...text, _meta: meta } as object }))).toBe(
      drawn,
    );
    const context = { toolInfo: { tool: { name: question.tool, inputSchema: { type: 'object' } } } };
    expect(await svgOf(await open({ args: question.args, result: { content: [] }, context }))).toBe(drawn);
    expect(calls).toEqual([question.tool]);
    // An answer that does not name its tool is recognised by its fields.
    expect(findTool(tools, undefined, {}, result.structuredContent ?? {})?.tool).toBe(question.tool);
    if (answerOf(text) !== null)
      expect(await svgOf(await open({ args: question.args, result: text }))).toBe(drawn);
    expect(complaints).toEqual([]);
  });

  it('is accepted by the official bridge', async () => {
    const view = await open({ args: question.args, result, isOfficial: true });
    expect(await svgOf(view)).toBe(drawn);
    expect(await page.evaluate('messages')).toEqual(['initialized']);
    expect(complaints).toEqual([]);
  });

  it.each(settingsFor(question))('can be used at %i px, %s', async (width, theme) => {
    await page.setViewportSize({ width, height: 900 });
    const view = await open({ args: question.args, result, context: { theme } });
    const svg = await svgOf(view);
    expect(readBack(svg, objectsOf(question.tool, result.structuredContent)).problems).toEqual([]);
    await view.locator('#table').click();
    await view.locator('summary').click();
    expect(await violations()).toEqual([]);
    expect(await viewFrame().evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await picture(`${question.name}-${width}-${theme}`);
    await page.setViewportSize({ width: 720, height: 900 });
  });
});

describe.sequential('a picture', () => {
  const trend = QUESTIONS[0];
  let result: Result;

  beforeAll(async () => {
    result = await client.callTool(trend?.tool ?? '', trend?.args ?? {});
  });

  const openTrend = (more: Partial<Scenario> = {}) => open({ args: trend?.args ?? {}, result, ...more });

  it('is used by keyboard alone: its values, its table, its CSV', async () => {
    const view = await openTrend();
    await svgOf(view);
    await page.locator('#app').focus();
    const reach = async (id: string) => {
      for (let steps = 0; steps < 12; steps += 1) {
        if ((await viewFrame().evaluate<string>('document.activeElement.id')) === id) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`Tab does not lead to ${id}`);
    };
    await reach('chart');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    const { periods } = result.structuredContent as { periods: { orders_revenues: number }[] };
    const said = (await view.locator('#said').textContent())?.replaceAll(/\s/g, ' ') ?? '';
    expect(said).toContain('Nov 2025');
    const amount = new Intl.NumberFormat('en-GB', {
      maximumFractionDigits: 2,
      minimumFractionDigits: 2,
    }).format(periods[1]?.orders_revenues ?? 0);
    expect(said).toContain(amount.replaceAll(/\s/g, ' '));
    expect(await view.locator('#tip').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    expect(await view.locator('#tip').isVisible()).toBe(false);
    await reach('table');
    await page.keyboard.press('Enter');
    expect(await view.locator('#tables table').count()).toBe(3);
    expect(await view.locator('#table').getAttribute('aria-expanded')).toBe('true');
    await reach('copy');
    await page.keyboard.press('Enter');
    await expect.poll(() => view.locator('#done').textContent()).toMatch(/^(Copied\.|Press Ctrl\+C)/);
    const csv = await view.locator('#manual').inputValue();
    if (csv !== '') expect(csv).toContain(String(periods[1]?.orders_revenues));
    expect(complaints).toEqual([]);
  });

  it('says what is pointed at, by mouse and by finger', async () => {
    const view = await openTrend();
    await svgOf(view);
    const dot = view.locator('circle.dot').first();
    await dot.hover();
    expect(await view.locator('#tip').textContent()).toContain('Oct 2025');
    await view.locator('h1, #bar').first().hover();
    await dot.tap();
    expect(await view.locator('#tip').textContent()).toContain('Oct 2025');
  });

  it('shows the year before when asked, out of an answer of its own', async () => {
    const view = await openTrend();
    await svgOf(view);
    await view.locator('#compare').click();
    await view.locator('path.line.compared').first().waitFor();
    expect(calls).toEqual([trend?.tool]);
    const { forecast_periods: _none, ...asked } = (trend?.args ?? {}) as Json;
    const before = { ...asked, from_date: '2024-10-01T00:00:00', to_date: '2025-10-30T23:59:59' };
    const answer = await client.callTool(trend?.tool ?? '', before);
    const { problems, marks } = readBack(
      await svgOf(view),
      result.structuredContent ?? {},
      answer.structuredContent,
    );
    expect(problems).toEqual([]);
    expect(marks).toBeGreaterThan(60);
    await view.locator('#compare').click();
    await expect.poll(() => view.locator('.line.compared').count()).toBe(0);
  });

  it('offers no comparison where the host passes no questions on', async () => {
    const view = await openTrend({ canCall: false });
    await svgOf(view);
    expect(await view.locator('#compare').isVisible()).toBe(false);
  });

  it('takes colours from the host, and its changes', async () => {
    const variables = {
      '--color-background-primary': 'rgb(1, 2, 3)',
      '--color-text-primary': 'rgb(250, 250, 250)',
      'no-variable': 'red',
    };
    const view = await openTrend({ context: { theme: 'dark', styles: { variables } } });
    await svgOf(view);
    const background = () =>
      viewFrame().evaluate(`getComputedStyle(document.getElementById('tip')).backgroundColor`);
    expect(await background()).toBe('rgb(1, 2, 3)');
    // The ground is the host's.
    expect(await viewFrame().evaluate('getComputedStyle(document.body).backgroundColor')).toBe(
      'rgba(0, 0, 0, 0)',
    );
    await page.evaluate(
      `tell({ theme: 'light', styles: { variables: { '--color-background-primary': 'rgb(255, 255, 255)' } } })`,
    );
    await expect.poll(background).toBe('rgb(255, 255, 255)');
  });

  it('writes numbers anew when the host changes the language of the reader', async () => {
    const view = await openTrend({ context: { theme: 'light', locale: 'cs-CZ' } });
    await svgOf(view);
    const said = async () => {
      await view.locator('circle.dot').first().hover();
      return (await view.locator('#tip').textContent())?.replaceAll(/\s/g, ' ') ?? '';
    };
    const { periods } = result.structuredContent as { periods: { orders_revenues: number }[] };
    const revenue = periods[0]?.orders_revenues ?? 0;
    const amount = (locale: string) =>
      new Intl.NumberFormat(locale, {
        minimumFractionDigits: 2,
        maximumFractionDigits: 2,
        trailingZeroDisplay: 'stripIfInteger',
      })
        .format(revenue)
        .replaceAll(/\s/g, ' ');
    expect(await said()).toContain(amount('cs-CZ'));
    await page.evaluate(`tell({ locale: 'de-DE' })`);
    await expect.poll(said).toContain(amount('de-DE'));
    await page.evaluate(`tell({ locale: 'en_US' })`);
    await expect.poll(said).toContain(amount('en-GB'));
  });

  it('can be seen where colours are forced', async () => {
    await page.emulateMedia({ forcedColors: 'active', reducedMotion: 'reduce', contrast: 'more' });
    await svgOf(await openTrend());
    expect(await violations()).toEqual([]);
    await picture('forced-colours');
    await page.emulateMedia({
      forcedColors: 'none',
      reducedMotion: 'no-preference',
      contrast: 'no-preference',
    });
  });

  it('tells of refusals, of cancelled questions, and of answers that nobody can draw', async () => {
    const refused = await open({
      result: { isError: true, content: [{ type: 'text', text: 'breakdown must be <b>month</b>' }] },
    });
    await expect.poll(() => refused.locator('#status').textContent()).toBe('breakdown must be <b>month</b>');
    const strange = await open({ result: { content: [{ type: 'text', text: 'hello' }] }, canCall: false });
    await expect
      .poll(() => strange.locator('#status').textContent())
      .toContain('There is no picture of this answer');
    await page.evaluate(`send({ method: 'ui/notifications/tool-cancelled', params: { reason: 'user' } })`);
    await expect.poll(() => strange.locator('#status').textContent()).toBe('The question was cancelled.');
    expect(complaints).toEqual([]);
  });

  it.each([
    ['no script', () => "'none'"],
    [
      'only the script that stands in the page',
      () => {
        const [, script = ''] = /<script>([\s\S]+?)<\/script>/.exec(chartResource().text) ?? [];
        return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
      },
    ],
  ])('says in words that nothing is drawn where a host allows %s', async (_name, scripts) => {
    const strict = await startStrictHost(chartResource().text, scripts());
    const other = await browser.newPage();
    await other.goto(strict.url);
    await other.evaluate(`open(${JSON.stringify({ context: {}, args: {}, result: {}, canCall: false })})`);
    const status = other.frameLocator('#app').frameLocator('#view').locator('#status');
    await status.waitFor({ timeout: 10_000 });
    expect(await status.textContent()).toBe(
      'This app does not let the picture be drawn; the text of the answer is complete.',
    );
    await other.close();
    await strict.close();
  });

  it('runs nothing that a store calls itself', async () => {
    const name = '<img src=x onerror="parent.postMessage(1,\'*\')"></text><script>alert(1)</script>';
    const periods = [
      {
        period: '2026-01',
        period_start: '2026-01-01',
        estimated_revenue: 3,
        total_quantity: 1,
        external_product_id: 'x',
        name,
      },
    ];
    const answer = { business_id: MADE_SHOP, periods, notes: [name] };
    const about = {
      tool: 'product_statistics_trend',
      name,
      currency: 'CZK',
      timezone: 'Europe/Prague',
      locale: 'cs-CZ',
      data_until: null,
    };
    const view = await open({
      result: { structuredContent: answer, content: [], _meta: { 'storesight/chart': about } },
    });
    await svgOf(view);
    await view.locator('#table').click();
    await view.locator('#chart').focus();
    await page.keyboard.press('ArrowRight');
    expect(await view.locator('img, svg script').count()).toBe(0);
    expect(await view.locator('#tip').textContent()).toContain('<img');
    expect(complaints).toEqual([]);
  });
});
