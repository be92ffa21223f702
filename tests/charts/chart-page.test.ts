import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../src/catalogue.ts';
import { answerOf, findTool } from '../../src/charts/answered.ts';
import { describeCharts } from '../../src/charts/described-chart.ts';
import { askedHeight } from '../../src/charts/inline-height.ts';
import { VIEW_SCRIPT } from '../../src/charts/view-script.ts';
import { yearBefore } from '../../src/charts/year-before.ts';
import { chartResource } from '../../src/mcp/mcp-apps.ts';

const { text: page } = chartResource();

/** What the page holds packed. */
const unpacked = [...page.matchAll(/<script type="application\/gzip"[^>]*>([^<]+)<\/script>/g)].map(
  ([, packed = '']) => gunzipSync(Buffer.from(packed, 'base64')).toString(),
);
const whole = [page, ...unpacked].join('\n');

it('is small', () => {
  expect(Buffer.byteLength(page)).toBeLessThanOrEqual(60_000);
});

it('loads nothing, runs no text, and ends no element early', () => {
  for (const forbidden of [
    /\bfetch\(/,
    /\beval\(/,
    /new Function/,
    /\bimport\(/,
    /XMLHttpRequest/,
    /WebSocket/,
    /Worker\b/,
    /sendBeacon/,
    /localStorage|sessionStorage|document\.cookie|indexedDB/,
    /@import|@font-face|url\((?!#)/,
    /\bsrc=/,
    /<link/,
  ]) {
    expect(whole).not.toMatch(forbidden);
  }
  expect(whole.match(/https?:\/\/[\w.][^"'`\s]+/g)).toEqual(['http://www.w3.org/2000/svg']);
  expect(unpacked).toEqual([expect.stringMatching(/^\[\{"tool":/), VIEW_SCRIPT]);
  expect(page.match(/<script/g)).toHaveLength(3);
  expect(page.match(/<\/script/g)).toHaveLength(3);
});

it('says that nothing is drawn until its script takes that away', () => {
  expect(page).toContain('This app does not let the picture be drawn; the text of the answer is complete.');
  expect(page).not.toContain('Waiting for the answer');
  expect(VIEW_SCRIPT).toContain('Waiting for the answer');
});

it('has no ground of its own within an app, and asks for 500 pixels at most between the lines', () => {
  const ground = /(?:^|\})\s*(?:html|:root|body)\{[^}]*background/;
  const ofApps = page.replace(/@media print\{[^}]*\}\}/g, '');
  expect('body{margin:0;background:#fff}').toMatch(ground);
  expect(ofApps).not.toMatch(ground);
  expect(page).toContain('.alone body{background:');
  expect(askedHeight(420, {})).toBe(420);
  expect(askedHeight(1200, {})).toBe(500);
  expect(askedHeight(1200, { displayMode: 'inline', containerDimensions: { maxHeight: 320 } })).toBe(320);
  expect(askedHeight(1200, { displayMode: 'inline', containerDimensions: { maxHeight: 900 } })).toBe(500);
  expect(askedHeight(1200, { displayMode: 'fullscreen' })).toBe(1200);
});

describe('the tool that answered', () => {
  const tools = CATALOGUE.flatMap((tool) => describeCharts(tool) ?? []);
  const nameOf = (named: string | undefined, hostName?: string) =>
    findTool(tools, named, hostName === undefined ? {} : { toolInfo: { tool: { name: hostName } } }, null)
      ?.tool;

  it('is what the server says, else what the host says, whatever stands before it', () => {
    expect(nameOf('get_product', 'brand_statistics')).toBe('get_product');
    expect(nameOf(undefined, 'mcp__storesight__product_statistics_trend')).toBe('product_statistics_trend');
    expect(nameOf(undefined, 'storesight.master_product_statistics')).toBe('master_product_statistics');
    expect(nameOf(undefined, 'x_master_product_statistics')).toBe('master_product_statistics');
    expect(nameOf(undefined, 'something_else')).toBeUndefined();
    expect(nameOf(undefined)).toBeUndefined();
  });
});

it('reads the answer from its data, else from its text', () => {
  const text = (content: string) => ({ type: 'text', text: content });
  expect(answerOf({ structuredContent: { a: 1 }, content: [text('{"a":2}')] })).toEqual({ a: 1 });
  expect(answerOf({ content: [text('{"a":2}'), text('a note')] })).toEqual({ a: 2 });
  const part = '{"notes":["Data end.","This text has only the first 5 of 9 `rows`; …"],"rows":[]}';
  for (const content of [
    [],
    [text(part)],
    [text('{"a":')],
    [text('[1]')],
    [text('null')],
    [{ type: 'image' }],
  ]) {
    expect(answerOf({ content })).toBeNull();
  }
});

it.each([
  ['2026-02-01T00:00:00', '2026-02-28T23:59:59', 'month', '2025-02-01T00:00:00', '2025-02-28T23:59:59'],
  ['2024-02-29T00:00:00', '2024-03-31T00:00:00', 'month', '2023-02-28T00:00:00', '2023-03-31T00:00:00'],
  ['2026-09-14T00:00:00', '2026-09-20T23:59:59', 'week', '2025-09-15T00:00:00', '2025-09-21T23:59:59'],
  ['2026-01-01', '2026-01-02', 'day', '2025-01-02', '2025-01-03'],
])('the year before %s to %s by %s', (from_date, to_date, breakdown, from, to) => {
  const args = { business_id: 'b', from_date, to_date, breakdown, forecast_periods: 3 };
  expect(yearBefore(args)).toEqual({ business_id: 'b', breakdown, from_date: from, to_date: to });
});

it('has no year before without a range', () => {
  expect(yearBefore({ business_id: 'b' })).toBeNull();
});
