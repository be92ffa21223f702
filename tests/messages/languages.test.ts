import { expect, it } from 'vitest';
import { askedLocale } from '../../src/messages/languages.ts';

it.each([
  [undefined, 'en-GB'],
  ['', 'en-GB'],
  ['*', 'en-GB'],
  ['de', 'de-DE'],
  ['de-at', 'de-AT'],
  ['de-Latn-CH', 'de-CH'],
  // A region that nobody writes the language in differently here.
  ['fr-SN', 'fr-FR'],
  ['sk,cs;q=0.9,en;q=0.8', 'cs-CZ'],
  ['en;q=0.5, fr;q=0.8, de;q=0.7', 'fr-FR'],
  // The first of equal ones is taken.
  ['cs, de', 'cs-CZ'],
  ['de;q=0, fr;q=0.001', 'fr-FR'],
  ['de;q=0', 'en-GB'],
  // What is no quality is not asked for.
  ['de;q=2, fr;q=x, cs;q=-1, en-US;q=0.1', 'en-US'],
  ['den, german, d', 'en-GB'],
  ['toString, __proto__;q=1, cs', 'cs-CZ'],
  ['cs ; q=0.2 , de ; q=0.3', 'de-DE'],
])('the header %s asks for %s', (header, locale) => {
  expect(askedLocale(header)).toBe(locale);
});

it('is read from the beginning of a header alone', () => {
  expect(askedLocale(`${'sk,'.repeat(30)}de`)).toBe('en-GB');
  expect(askedLocale(`${'x'.repeat(5000)},de`)).toBe('en-GB');
  expect(askedLocale(`de,${';q='.repeat(100_000)}`)).toBe('de-DE');
});
