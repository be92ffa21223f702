/**
 * What a picture of 5,000 points takes: processor time of the first one of a process and of later ones, and
 * in a page of a strict host in Chromium the time from the message with the answer until the picture is
 * painted.
 *
 *   node bench/charts.ts [times; default 5]
 */
import { execFileSync } from 'node:child_process';
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { describeCharts } from '../src/charts/described-chart.ts';
import { drawFigure } from '../src/charts/draw/draw-figure.ts';
import { readFigure } from '../src/charts/read-figure.ts';
import { orderStatisticsTrend } from '../src/domains/orders/tools/order-statistics-trend.ts';
import { chartResource } from '../src/mcp/mcp-apps.ts';
import { startStrictHost } from '../tests/charts/strict-host.ts';
import { launchBrowser } from '../tests/support/browser.ts';

const POINTS = 5000;
const FIRST_IN_A_PROCESS = 'first-in-a-process';

const store = {
  name: 'A shop',
  currency: 'CZK',
  timezone: 'Europe/Prague',
  locale: 'cs-CZ',
  data_until: '2026-09-30T21:43:00Z',
  history_starts_at: null,
};
const answer = {
  business_id: 'x',
  periods: Array.from({ length: POINTS }, (_, index) => {
    const period = new Date(Date.UTC(2013, 0, 1 + index)).toISOString().slice(0, 10);
    return { period, period_start: period, orders_revenues: ((index * 7919) % 100_003) / 100 };
  }),
};

const described = describeCharts({ ...orderStatisticsTrend, chart: orderStatisticsTrend.chart ?? [] });

/** @returns milliseconds of the processor, which do not grow because others wait for it too */
function draw(): number {
  const before = process.threadCpuUsage();
  drawFigure(readFigure({ described, args: {}, answer, store }), { width: 720 });
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

async function inThePage(times: number): Promise<number[]> {
  const host = await startStrictHost(chartResource().text);
  const browser = await launchBrowser();
  const result = {
    structuredContent: answer,
    content: [],
    _meta: { 'storesight/chart': { tool: orderStatisticsTrend.name, ...store } },
  };
  const taken: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const page = await browser.newPage({ viewport: { width: 720, height: 900 } });
    const painted = new Promise<number>((resolve) => page.exposeFunction('painted', resolve));
    await page.addInitScript(`
      let startedAt;
      addEventListener('message', ({ data }) => {
        if (data?.method === 'ui/notifications/tool-result') startedAt ??= performance.now();
      });
      new MutationObserver(() => {
        if (startedAt === undefined || !document.querySelector('svg.chart') || window.isSeen) return;
        window.isSeen = true;
        requestAnimationFrame(() => setTimeout(() => window.painted(performance.now() - startedAt)));
      }).observe(document, { childList: true, subtree: true });
    `);
    await page.goto(host.url);
    await page.evaluate(`open(${JSON.stringify({ context: {}, args: {}, result, canCall: false })})`);
    taken.push(await painted);
    await page.close();
  }
  await browser.close();
  await host.close();
  return taken;
}

if (process.argv[2] === FIRST_IN_A_PROCESS) {
  console.log(draw());
} else {
  const times = Number(process.argv[2] ?? 5);
  const again = Array.from({ length: times });
  draw();
  const rows = {
    'first of a process': again.map(() =>
      Number(execFileSync(process.execPath, [fileURLToPath(import.meta.url), FIRST_IN_A_PROCESS])),
    ),
    'later ones': again.map(draw),
    'in the page, painted': await inThePage(times),
  };
  console.log(`${POINTS} points, ms; load ${loadavg()[0]?.toFixed(1)}`);
  for (const [name, taken] of Object.entries(rows)) {
    console.log(`${name.padEnd(22)} ${taken.map((one) => one.toFixed(0).padStart(5)).join('')}`);
  }
}
