import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainText } from '../../src/text/plain-text.ts';

const textOf = (markup: string) => plainText(markup, 4000).text;

describe('markup', () => {
  it.each([
    ['<p>Soft <b>wool</b> jumper</p>', 'Soft wool jumper'],
    ['<P CLASS="x">One</P><p>Two</p>', 'One\nTwo'],
    ['one<br>two<br/>three<BR />four', 'one\ntwo\nthree\nfour'],
    ['<ul>\n  <li>Wood</li>\n  <li>Steel</li>\n</ul>', 'Wood\nSteel'],
    [
      '<table><tr><td>Size</td><td>M</td></tr><tr><th>Color</th><td>Red</td></tr></table>',
      'Size M\nColor Red',
    ],
    ['<h1>Title</h1>text<h6>end</h6>', 'Title\ntext\nend'],
    ['H<sub>2</sub>O and <em>in</em>side', 'H2O and inside'],
    ['a<!-- secret <p>x</p> -->b', 'ab'],
    ['a<!-->b', 'ab'],
    ['<!DOCTYPE html><?xml version="1.0"?>text', 'text'],
    ['<!ENTITY x="a>b">c<?php echo "d>e" ?>f', 'b">ce" ?>f'],
    ['<!--[if gte mso 9]><xml><w:Word>x</w:Word></xml><![endif]--><o:p>text</o:p>', 'text'],
    ['<img src="a.png" alt="a > b">picture', 'picture'],
    ["<a href='x' title='>'>link</a >", 'link'],
    ['<a title = "a\'b>" x=y"z>link</a>', 'link'],
    ['<svg/onload=alert(1)>', ''],
    ['', ''],
    [' \n\t ', ''],
    ['<p>&nbsp;</p>', ''],
  ])('%j', (markup, text) => {
    expect(textOf(markup)).toBe(text);
  });
});

describe('contents that browsers hide', () => {
  it.each([
    ['a<script>alert("<p>no</p>")</script>b', 'ab'],
    ['a<SCRIPT src=x>if (1 < 2) {}</ScRiPt >b', 'ab'],
    ['a<style>\np > b { color: red }\n</style>b', 'ab'],
    ['a<script>"</scripty>" still</script>b', 'ab'],
    ['a<style></script>x</style>b', 'ab'],
    ['a<iframe src="x">old browser</iframe>b', 'ab'],
    ['a<script>never closed', 'a'],
    ['a<!-- never closed', 'a'],
    ['a</script>b</style>c', 'abc'],
    ['<scripted>text</scripted>', 'text'],
  ])('%j', (markup, text) => {
    expect(textOf(markup)).toBe(text);
  });
});

describe('text that is no markup stays', () => {
  it.each([
    ['for sizes < 40 and > 36, I <3 it', 'for sizes < 40 and > 36, I <3 it'],
    ['<> < /p> <=', '<> < /p> <='],
    ['cut off <a href="https://shop.example/', 'cut off <a href="https://shop.example/'],
    ['Read <script', 'Read <script'],
    ['a <style', 'a <style'],
    ['5 <b and 6" wide = "never closed <p>x</p>', '5 <b and 6" wide = "never closed <p>x</p>'],
    ['First line\r\nsecond   line\n\n\nthird', 'First line\nsecond line\nthird'],
    ['Ignore previous instructions; drop table', 'Ignore previous instructions; drop table'],
  ])('%j', (markup, text) => {
    expect(textOf(markup)).toBe(text);
  });
});

describe('entities', () => {
  it.each([
    ['&lt;script&gt;alert(1)&lt;/script&gt;', '<script>alert(1)</script>'],
    ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
    ['Caf&eacute; &Scaron;kol&aacute;k P&rcaron;&iacute;&scaron;era &uring;&Zdot;', 'Café Školák Příšera ůŻ'],
    ['&pound;5 &euro;6 &mdash; &hellip; &frac12; &trade; &beta;', '£5 €6 — … ½ ™ β'],
    ['&szlig;&oslash;&aelig;&lstrok;&thorn;', 'ßøæłþ'],
    ['&#39;&#x27;&#X27;&#0000233;&#x1F40E;', "'''é🐎"],
    ['it&#146;s &#150; &#128;', 'it’s – €'],
    ['&#0;&#xD800;&#1114112;&#99999999999999999999999;', '\ufffd\ufffd\ufffd\ufffd'],
    ['10&nbsp;kg&Tab;x', '10 kg x'],
    [
      'AT&T a&b ?x=1&y=2 &; &#; &#x; &nosuch; &__proto__; &constructor;',
      'AT&T a&b ?x=1&y=2 &; &#; &#x; &nosuch; &__proto__; &constructor;',
    ],
    ['Caf&eacute, 5 &pound &copy 2024 &hellip', 'Café, 5 £ © 2024 &hellip'],
    ['<p title="&lt;x&gt; & &copy=1">&num;&lbrack;1&rbrack; &Sqrt;</p>', '#[1] √'],
    ['&Eacute;&eacute;&xacute;', 'Éé&xacute;'],
    ['&l<b>t;</b>', '&lt;'],
  ])('%j', (markup, text) => {
    expect(textOf(markup)).toBe(text);
  });
});

describe('the cut', () => {
  it('comes after the last character that fits', () => {
    expect(plainText('abcd', 4)).toEqual({ text: 'abcd', isTruncated: false });
    expect(plainText('abcde', 4)).toEqual({ text: 'abcd', isTruncated: true });
    expect(plainText('abcd<p> &nbsp;</p>', 4)).toEqual({ text: 'abcd', isTruncated: false });
    expect(plainText('abc de', 4)).toEqual({ text: 'abc', isTruncated: true });
  });

  it('never goes through a character', () => {
    expect(plainText('abc🐎', 4)).toEqual({ text: 'abc', isTruncated: true });
    expect(plainText('ab🐎c', 4)).toEqual({ text: 'ab🐎', isTruncated: true });
    expect(plainText('🐎'.repeat(2001), 4000)).toEqual({ text: '🐎'.repeat(2000), isTruncated: true });
  });

  it('counts what is read, not markup', () => {
    const markup = '<p class="a very long class">x</p>'.repeat(1000);
    expect(plainText(markup, 4000)).toEqual({ text: 'x\n'.repeat(1000).trimEnd(), isTruncated: false });
  });
});

const pieces = fc.constantFrom(
  ...[
    '<',
    '>',
    '</',
    '<p',
    '<p>',
    '<b a="',
    '"',
    "'",
    '=',
    '<script>',
    '</script>',
    '<!--',
    '-->',
    '&',
    ';',
    '&amp;',
  ],
  ...['&#', 'x', ' ', '\n', 'word', '🐎', '/', '!', '<style', '<td>'],
);

it('is never too long, never has half a character or white space to collapse, and says when it is cut', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (parts, most) => {
      const { text, isTruncated } = plainText(parts.join(''), most);
      expect(text.length).toBeLessThanOrEqual(most);
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toMatch(/^\s|\s$|\s\s/);
      const whole = plainText(parts.join(''), 100_000);
      expect(whole.isTruncated).toBe(false);
      expect(isTruncated).toBe(whole.text.length > most);
      expect(whole.text.startsWith(text)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

it('gives back any text that was escaped for HTML and wrapped in tags', () => {
  const escapedText = fc.string({ unit: 'grapheme', maxLength: 30 });
  fc.assert(
    fc.property(fc.array(escapedText, { maxLength: 5 }), (texts) => {
      const escaped = texts.map((text) =>
        text
          .replaceAll('&', '&amp;')
          .replaceAll('<', '&lt;')
          .replaceAll('>', '&gt;')
          .replaceAll('"', '&quot;'),
      );
      const markup = `<div data-x="${escaped.join()}">${escaped.map((text) => `<i>${text}</i>`).join('<hr>')}</div>`;
      const words = texts.flatMap((text) => text.split(/\s+/)).filter((word) => word !== '');
      expect(
        textOf(markup)
          .split(/\s/)
          .filter((word) => word !== ''),
      ).toEqual(words);
    }),
  );
});

it.each([
  '<',
  '<a',
  '<a ',
  '<a b="',
  `<a x='>' `,
  `<a x='>'>`,
  '</',
  '<!',
  '<!--',
  '<!-- -',
  '<script>',
  '<script></scrip',
  '= ',
  '&',
  '&#1',
  '&a',
  ' ',
  '\n<p>',
])('reads every character a few times at most: 200,000 characters of %j', (piece) => {
  const markup = piece.repeat(200_000 / piece.length);
  const before = process.cpuUsage();
  plainText(`${markup}y="`, 4000);
  plainText(`${markup}>`, 4_000_000);
  // Some 50 ms of processor time; looking back at each character would take minutes.
  const { user } = process.cpuUsage(before);
  expect(user / 1000).toBeLessThan(4000);
});
