import * as fc from 'fast-check';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plainText } from '../../src/text/plain-text.ts';
import { launchBrowser } from '../support/browser.ts';

/** What a real browser reads of any markup whose tags end; white space aside, which depends on its styles. */
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});

afterAll(() => browser.close());

const piece = fc.constantFrom(
  ...['word', 'é🐎', ' ', '\n', '"', "'", '=', '/', '!', '--', ';', '&', '< ', '<< ', '<3 ', '<=', '>'],
  ...[
    '<p>',
    '</p>',
    '<P class=x>',
    '<br/>',
    '<td>',
    '<x-y z>',
    '</b >',
    '<b a="<p> > \'">',
    "<i x='</script>\">'>",
  ],
  ...['<script>', '</script>', '</SCRIPT >', '<style>', '</style\n>', '</scripted>'],
  ...['<!--', '-->', '<!-- x -->', '<!>', '<! a="b>">', '<?c d?>', '<iframe>', '</iframe>'],
  ...[
    '&amp;',
    '&lt;',
    '&lt;p&gt;',
    '&eacute;',
    '&rcaron;',
    '&#146;',
    '&#x1F40E;',
    '&#0;',
    '&nosuch;',
    '&hellip;',
    '&hellip',
    '&copy',
    '&eacute',
    '&notin;',
    '&notit;',
    '&lbrack;',
  ],
);

it('a browser shows what plain text has', async () => {
  const markups = fc
    .sample(fc.array(piece, { maxLength: 14 }), { numRuns: 10_000, seed: 1 })
    .map((pieces) => pieces.join(''));
  const page = await browser.newPage();
  // A text, since the browser's own names are unknown to the types of a server.
  const texts = (await page.evaluate(`(${JSON.stringify(markups)}).map((markup) => {
    const page = new DOMParser().parseFromString('<body>' + markup, 'text/html');
    for (const hidden of page.querySelectorAll('script, style, iframe')) hidden.remove();
    return page.body.textContent;
  })`)) as string[];
  const letters = (text: string) => text.replace(/\s/g, '');
  const differing = markups.flatMap((markup, index) => {
    const [ours, theirs] = [letters(plainText(markup, 10_000).text), letters(texts[index] ?? '')];
    return ours === theirs ? [] : [{ markup, ours, theirs }];
  });
  expect(texts).toHaveLength(markups.length);
  expect(differing).toEqual([]);
});
