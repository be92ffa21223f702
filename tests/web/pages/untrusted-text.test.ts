import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainLine, untrustedHost, untrustedName } from '../../../src/web/pages/untrusted-text.ts';
import { HOSTILE_NAME } from './page-states.ts';

async function shownName(name: string | null): Promise<string> {
  return String(await untrustedName(name, 'no name')).replace(/^<bdi>|<\/bdi>$/g, '');
}

test.each([
  ['Claude', 'Claude'],
  ['  two\r\n\tlines\u2028here ', 'two lines here'],
  ['photo\u202egnp.exe', 'photognp.exe'],
  ['a\u2066b\u2069c\u200fd\u061ce', 'abcde'],
  ['pay\u200bpal\ufeff\u00ad\u2060', 'paypal'],
  ['bell\u0007, escape\u001b[31m', 'bell , escape [31m'],
  ['lone \ud800 half', 'lone half'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['👩\u200d💻 ❤\ufe0f', '👩\u200d💻 ❤\ufe0f'],
  [`Z${'\u0335'.repeat(50)}o`, 'Z\u0335\u0335\u0335o'],
  ['ビッグ 店', 'ビッグ 店'],
  ['', 'no name'],
  [null, 'no name'],
  ['\u202e\u200b \u200d\u2800\u3164', 'no name'],
  ['<b>&"\'', '&lt;b&gt;&amp;&quot;&#39;'],
])('the name %j is shown as %j', async (name, shown) => {
  expect(await shownName(name)).toBe(shown);
});

test('a name is at most a hundred characters, and cut between characters', async () => {
  expect(await shownName('x'.repeat(100))).toBe('x'.repeat(100));
  expect(await shownName('x'.repeat(101))).toBe(`${'x'.repeat(99)}…`);
  expect(await shownName('😀'.repeat(5000))).toBe(`${'😀'.repeat(99)}…`);
  expect(plainLine(HOSTILE_NAME)).toHaveLength(600);
});

test('no text becomes markup, turns the direction or breaks the line', async () => {
  const parts = fc.constantFrom(
    '<',
    '>',
    '"',
    "'",
    '&',
    '\u202e',
    '\u2067',
    '\n',
    '\0',
    '\u200b',
    'a',
    '店',
    '\u0301',
  );
  const texts = fc.oneof(fc.string({ unit: parts, maxLength: 300 }), fc.string({ unit: 'binary' }));
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      const shown = await shownName(text);
      expect(shown).not.toMatch(/[<>"']|\p{Cc}|\p{Bidi_Control}|\p{Zl}|\p{Zp}/u);
      expect([...shown.replace(/&[a-z0-9#]+;/g, '.')].length).toBeLessThanOrEqual(100);
    }),
  );
});

test('a long host is shown by its end, which says whose it is', async () => {
  expect(String(await untrustedHost('claude.ai:8443'))).toBe('<bdi class="host">claude.ai:8443</bdi>');
  const long = `claude.ai.${'a.'.repeat(500)}evil.example`;
  const shown = String(await untrustedHost(long));
  expect(shown).toMatch(/^<bdi class="host">….*evil\.example<\/bdi>$/);
  expect(shown).not.toContain('claude');
});
