import { expect, it } from 'vitest';
import { table } from '../../src/cli/text-table.ts';
import { visible, visibleLines } from '../../src/text/visible.ts';

/**
 * Sets the title of a terminal, clears it by a sequence of one byte, turns the writing, and begins a line.
 */
const HOSTILE = 'Evil\u001b]0;owned\u0007\u009b2J\u202egnp\u2028\r\nshop';
const SHOWN = String.raw`Evil\u001b]0;owned\u0007\u009b2J\u202egnp\u2028\u000d\u000ashop`;

it('text of others moves nothing on a terminal', () => {
  expect(visible(HOSTILE)).toBe(SHOWN);
  expect(visible('Nová Škoda – Überlänge 商店 👩🏽‍🚀')).toBe('Nová Škoda – Überlänge 商店 👩🏽‍🚀');
  expect(visibleLines('one\ntwo\u001b[2J')).toBe('one\ntwo\\u001b[2J');
});

it('a name is one row of a table, whatever is in it', () => {
  const rows = [
    { name: HOSTILE, id: 1 },
    { name: 'Shop', id: 2 },
  ];
  expect(table(rows, '').split('\n')).toEqual([
    `${'name'.padEnd(SHOWN.length)}  id`,
    `${SHOWN}  1`,
    `${'Shop'.padEnd(SHOWN.length)}  2`,
  ]);
});

it('JSON with such names stays the same JSON', () => {
  const document = { name: HOSTILE };
  expect(JSON.parse(visibleLines(JSON.stringify(document)))).toEqual(document);
});
