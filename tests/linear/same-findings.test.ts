import fc from 'fast-check';
import { expect, it } from 'vitest';
import { columnName } from '../../src/sources/column-name.ts';
import { businessGate } from '../../src/store/personal-data/business-gate.ts';
import { landedEmail } from '../../src/store/personal-data/landed-hashes.ts';
import { withoutEnd } from '../../src/text/without-end.ts';
import { runs } from '../support/runs.ts';

/** What is linear now finds what the simple, slow way finds. */

const gate = businessGate(Buffer.alloc(32), {
  business_id: 'a business',
  timezone: 'Europe/Prague',
  primary_currency: 'CZK',
});

const pieces = fc.constantFrom(
  ...[
    '1',
    '2 ',
    '+',
    '+420 ',
    '601',
    ' 234',
    ' 567',
    '601234567',
    '00',
    '420',
    ' ',
    '-',
    '.',
    '/',
    '(',
    ')',
    'a',
    '\n',
    ';',
    '#',
  ],
  ...['jana@obchod.cz', '@', '%40', '"', '\u0661', '\u{1f600}', '2026-01-02', 'tel:', '212', ' 555', '-0100'],
);
const texts = fc.array(pieces, { maxLength: 16 }).map((parts) => parts.join(''));

const groupsOfDigits = fc.array(
  fc.constantFrom(
    '1',
    '12',
    '601',
    '234',
    '567',
    '00',
    '420',
    '+420',
    '+1',
    '212',
    '5550100',
    '601234567',
    '7',
  ),
  { maxLength: 14 },
);

it.each(['international', 'written', 'any'] as const)(
  'each group of digits has the same longest run that is a number, of the form %s',
  (form) => {
    /** All runs, each asked alone: it is a number where the search takes all of it. */
    const slowly = (groups: readonly string[]) => {
      const found: string[] = [];
      for (let first = 0; first < groups.length; first += 1) {
        const ends = groups.map((_, index) => index + 1).filter((end) => end > first);
        const end = ends.findLast((each) => {
          const run = groups.slice(first, each).join(' ');
          const [span] = gate.phones.find(run, form);
          return span?.start === 0 && span.end === run.length;
        });
        if (end === undefined) continue;
        found.push(groups.slice(first, end).join(' '));
        first = end - 1;
      }
      return found;
    };
    fc.assert(
      fc.property(groupsOfDigits, (groups) => {
        const text = groups.join(' ');
        const found = gate.phones.find(text, form).map(({ start, end }) => text.slice(start, end));
        expect(found).toEqual(slowly(groups));
      }),
      { numRuns: runs(300) },
    );
  },
);

it('the end of a text without some characters', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(withoutEnd(text, /[;\s]/)).toBe(text.replace(/[;\s]+$/, ''));
      expect(columnName(text)).toBe(
        text
          .replace(/[;\s]+$/, '')
          .trim()
          .toLowerCase(),
      );
    }),
    { numRuns: runs(500) },
  );
});

it('the domain of an address', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const [, domain = ''] = /.*@([\p{L}\p{N}_.-]+)/u.exec(text.toLowerCase()) ?? [];
      const shown = /[^\p{N}_.-]/u.test(domain) ? domain : '';
      expect(landedEmail(Buffer.alloc(32), text).slice(33)).toBe(`@${shown}`);
    }),
    { numRuns: runs(300) },
  );
});
