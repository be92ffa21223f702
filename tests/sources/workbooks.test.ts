import { describe, expect, it } from 'vitest';
import { ImportError } from '../../src/snapshot/import-errors.ts';
import { formatOf, textOfNumber } from '../../src/sources/files/workbook/numbers.ts';
import { type MadeSheet, workbookOf } from './made-workbook.ts';
import { refusalOf, translateFiles } from './translated.ts';
import { zipOf } from './zip-archive.ts';

const COSTS: MadeSheet = {
  name: 'Costs',
  rows: [
    ['Day', 'Campaign', 'Cost', 'Currency code', 'Clicks'],
    [{ xml: '<c s="1"><v>46266</v></c>' }, 'Mugs, "large" & <small>', 1234.56, 'EUR', 12345],
    [{ xml: '<c s="1"><v>46267</v></c>' }, 'Mugs', 0.1, 'EUR', null],
  ],
};
const FORMATS = ['dd.mm.yyyy'];
const READ = [
  ['2026-09-01', 'Mugs, "large" & <small>', 1234.56, 12345],
  ['2026-09-02', 'Mugs', 0.1, null],
];
const costs = 'cast(day as varchar), campaign, cost, clicks';
const book = (...sheets: readonly MadeSheet[]) => workbookOf(sheets, { formats: FORMATS });

describe('a workbook', () => {
  it.each(['report.xlsx', 'report.xlsm', 'report.csv'])('is read by what it holds: %s', (name) =>
    translateFiles({ [name]: book(COSTS) }, async ({ rows, rejects, sources }) => {
      expect(rejects).toEqual([]);
      expect(sources[0]?.source).toBe('google-ads');
      expect(await rows('ad_costs', costs)).toEqual(READ);
    }),
  );

  it('is read within an archive', () =>
    translateFiles(
      { 'all.zip': zipOf([{ name: 'a/report.xlsx', content: book(COSTS) }]) },
      async ({ rows }) => expect(await rows('ad_costs', costs)).toEqual(READ),
    ));

  it('has the sheet read that fits, and says what the others are', () =>
    translateFiles(
      { 'report.xlsx': book({ name: 'Notes', rows: [['To do'], ['Sell mugs']] }, COSTS) },
      async ({ rows, warnings }) => {
        expect(await rows('ad_costs', costs)).toEqual(READ);
        expect(warnings.join('\n')).toContain('report.xlsx (Notes) is not recognised');
      },
    ));

  it('has its hidden sheets left out, and told', () =>
    translateFiles(
      {
        'report.xlsx': book(
          {
            ...COSTS,
            name: 'Old\u202e',
            state: 'hidden',
            rows: [...COSTS.rows, [46268, 'Hidden', 9, 'EUR']],
          },
          { ...COSTS, name: 'Older', state: 'veryHidden' },
          COSTS,
        ),
      },
      async ({ rows, warnings }) => {
        expect(await rows('ad_costs', costs)).toEqual(READ);
        expect(warnings).toContainEqual(
          'report.xlsx has hidden sheets, which are not read: Old, Older. Show them where they are meant',
        );
      },
    ));

  it('may have a merged title, a header of two rows, and blank rows; a bad row has its own number', () =>
    translateFiles(
      {
        'report.xlsx': workbookOf(
          [
            {
              name: 'Costs',
              merged: ['A1:E1', 'A2:A3', 'B2:B3', 'C2:D2', 'E2:E3'],
              rows: [
                ['Campaign report', null, null, null, null],
                ['Day', 'Campaign', 'Costs of it', null, 'Clicks'],
                [null, null, 'Cost', 'Currency code', null],
                [],
                [{ xml: '<c s="1"><v>46266</v></c>' }, 'Mugs', 1, 'EUR', 2],
                [],
                ['no day', 'Mugs', 1, 'EUR', 2],
              ],
            },
          ],
          { formats: FORMATS },
        ),
      },
      async ({ rows, rejects }) => {
        expect(await rows('ad_costs', costs)).toEqual([['2026-09-01', 'Mugs', 1, 2]]);
        expect(rejects.map(({ file, line }) => [file, line])).toEqual([['report.xlsx', 7]]);
      },
    ));

  it('has texts in runs, in cells and with escaped signs; values of formulas; truths', () =>
    translateFiles(
      {
        'report.xlsx': workbookOf(
          [
            {
              name: 'Costs',
              rows: [
                ['Day', 'Campaign', 'Cost', 'Currency code', 'Clicks'],
                [
                  { xml: '<c t="str"><f>TEXT(1,"x")</f><v>2026-09-01</v></c>' },
                  {
                    xml: '<c t="inlineStr"><is><r><t>Mu</t></r><r><t xml:space="preserve">gs </t></r><rPh><t>no</t></rPh><r><t>A_x0042_</t></r></is></c>',
                  },
                  { xml: '<c><f>1+1</f><v>12.100000000000001</v></c>' },
                  { xml: '<c t="inlineStr"><is><t>EUR</t></is></c>' },
                  { xml: '<c t="b"><v>1</v></c>' },
                ],
                [
                  { xml: '<c t="d"><v>2026-09-02</v></c>' },
                  'Cups',
                  { xml: '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>' },
                  'EUR',
                  1,
                ],
              ],
            },
          ],
          { formats: FORMATS },
        ),
      },
      async ({ rows, rejects }) => {
        expect(await rows('ad_costs', 'campaign, cost')).toEqual([]);
        expect(rejects.map(({ line }) => line)).toEqual([2, 3]);
        expect(rejects[1]?.reason).toContain('"Cost"');
      },
    ));

  it('reads a day that is written as its midnight, and cuts no other time off', () =>
    translateFiles(
      {
        'report.xlsx': workbookOf(
          [
            {
              ...COSTS,
              rows: [...COSTS.rows, [{ xml: '<c s="1"><v>46268.75</v></c>' }, 'Mugs', 1, 'EUR', 1]],
            },
          ],
          { formats: ['yyyy-mm-dd h:mm:ss'] },
        ),
        'pandas.csv': 'Day,Campaign,Cost,Currency code\n2026-10-01 00:00:00.000,A,1.5,EUR\n',
      },
      async ({ rows, rejects }) => {
        expect(await rows('ad_costs', costs)).toEqual([...READ, ['2026-10-01', 'A', 1.5, null]]);
        expect(rejects.map(({ file, line }) => [file, line])).toEqual([['report.xlsx', 4]]);
      },
    ));

  it('counts days from 1904 where it says so', () =>
    translateFiles(
      {
        'report.xlsx': workbookOf(
          [
            {
              ...COSTS,
              rows: COSTS.rows.map((row, index) =>
                index === 0
                  ? row
                  : [{ xml: `<c s="1"><v>${46266 - 1462 + index - 1}</v></c>` }, ...row.slice(1)],
              ),
            },
          ],
          { formats: FORMATS, from1904: true },
        ),
      },
      async ({ rows }) => expect(await rows('ad_costs', costs)).toEqual(READ),
    ));

  it.each<[string, Buffer | string, string]>([
    [
      'a formula without its value',
      book({
        ...COSTS,
        rows: [...COSTS.rows, [46268, 'Mugs', { xml: '<c><f>SUM(C2:C3)</f><v></v></c>' }, 'EUR']],
      }),
      'the formula in row 4, column 3 was saved without its value. Open it in a spreadsheet, save it',
    ],
    [
      'no sheet that can be seen',
      book({ ...COSTS, state: 'hidden' }),
      'no sheet with cells that can be seen',
    ],
    ['an empty sheet', book({ name: 'A', rows: [] }), 'no sheet with cells that can be seen'],
    [
      'a text that is not there',
      book({ name: 'A', rows: [[{ xml: '<c t="s"><v>7</v></c>' }]] }),
      'refers to a text that it does not have',
    ],
    [
      'a cell far on the right',
      zipWith('<row r="1"><c r="XFD1"><v>1</v></c></row>'),
      'cells beyond 2000 columns',
    ],
    ['a row far below', zipWith('<row r="2000000"/>'), 'more than 1048576'],
    ['XML that does not end', zipWith('<row'), 'it is damaged'],
    ['elements without end', zipWith('<a>'.repeat(100)), 'its elements lie deeper than 50 in each other'],
    [
      'cells that repeat a long text',
      book({
        name: 'A',
        rows: Array.from({ length: 200 }, () => Array.from({ length: 20 }, () => 'x'.repeat(100_000))),
      }),
      'its cells repeat long texts more often than those of a table do',
    ],
    [
      'links without end',
      workbookOf([COSTS], {
        formats: FORMATS,
        changed: (text, name) =>
          name === 'xl/_rels/workbook.xml.rels'
            ? text.replace(
                '<Relationships>',
                `<Relationships>${Array.from({ length: 10_001 }, (_, id) => `<Relationship Id="x${id}" Target="y"/>`).join('')}`,
              )
            : text,
      }),
      'it is made of more than 10000 parts',
    ],
    [
      'a text without end',
      zipWith(`<row r="1"><c t="str"><v>${'x'.repeat(2 ** 21)}</v></c></row>`),
      'longer than',
    ],
    ['an entity of its own', zipWith('<row r="1"><c t="str"><v>&boom;</v></c></row>'), 'it is damaged'],
    [
      'a binary workbook',
      zipOf([{ name: 'xl/workbook.bin', content: 'x' }]),
      'is a workbook of a spreadsheet in a format that is not read; save it as .xlsx',
    ],
    [
      'one of LibreOffice',
      zipOf([{ name: 'content.xml', content: '<a/>' }]),
      'is a workbook of a spreadsheet in a format that is not read',
    ],
    [
      'no zip but HTML',
      '<html><table><tr><td>Day</td></tr></table></html>',
      'a table that is called a workbook',
    ],
    [
      'no zip but .xls, or one with a password',
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]),
      'one that is locked with a password',
    ],
    ['one cut off', book(COSTS).subarray(0, 300), 'cannot be unpacked'],
  ])('is refused with what to do: %s', async (_, content, reason) => {
    const message = await refusalOf({ 'report.xlsx': content });
    expect(message).toContain('report.xlsx');
    expect(message).toContain(reason);
  });
});

it('a workbook that somebody changed at random is right, refused in our words, or has its bad rows listed', async () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % below;
  };
  const outcomes = { read: 0, refused: 0 };
  for (let run = 0; run < 30; run += 1) {
    const target = ['sheet1.xml', 'workbook.xml', 'sharedStrings.xml', 'styles.xml'][random(4)] ?? '';
    const content = workbookOf([COSTS], {
      formats: FORMATS,
      changed: (text, name) => {
        if (!name.endsWith(target)) return text;
        const at = random(text.length);
        return (
          text.slice(0, at) + ['', '<', '>', '"', '9', '-1', '</v>'][random(7)] + text.slice(at + random(12))
        );
      },
    });
    try {
      await translateFiles(
        { 'report.xlsx': content },
        async ({ rows, rejects }) => {
          const found = await rows('ad_costs', 'cost');
          expect(found.length + rejects.length).toBeLessThanOrEqual(3);
          outcomes.read += 1;
        },
        { currency: 'EUR', dates: 'dmy' },
      );
    } catch (error) {
      expect(error).toBeInstanceOf(ImportError);
      outcomes.refused += 1;
    }
  }
  expect(outcomes.read).toBeGreaterThan(0);
  expect(outcomes.refused).toBeGreaterThan(0);
});

function zipWith(sheetData: string): Buffer {
  const made = (name: string, content: string) => ({ name, content });
  return zipOf([
    made('xl/workbook.xml', '<workbook><sheets><sheet name="A" r:id="a" xmlns:r="r"/></sheets></workbook>'),
    made(
      'xl/_rels/workbook.xml.rels',
      '<Relationships><Relationship Id="a" Target="/xl/worksheets/s.xml"/></Relationships>',
    ),
    made('xl/worksheets/s.xml', `<worksheet><sheetData>${sheetData}</sheetData></worksheet>`),
  ]);
}

describe('a number of a cell', () => {
  const DAY = formatOf(14, undefined);
  const MOMENT = formatOf(22, undefined);

  it.each([
    ['46266', DAY, '2026-09-01'],
    ['46266.75', DAY, '2026-09-01 18:00:00'],
    ['46266', MOMENT, '2026-09-01 00:00:00'],
    ['46266.583333333336', MOMENT, '2026-09-01 14:00:00'],
    ['46266.99999999', MOMENT, '2026-09-02 00:00:00'],
    ['1', DAY, '1900-01-01'],
    ['59', DAY, '1900-02-28'],
    ['60', DAY, '60'],
    ['61', DAY, '1900-03-01'],
    ['-1', DAY, '-1'],
    ['0.5', formatOf(20, undefined), '12:00:00'],
    ['46266', formatOf(164, '[$-407]d. mmmm yyyy;@'), '2026-09-01'],
    ['46266.5', formatOf(164, 'yyyy\\-mm\\-dd\\ hh:mm:ss.000'), '2026-09-01 12:00:00'],
    ['1.5', formatOf(164, '[h]:mm:ss'), '1.5'],
    ['5', formatOf(164, '0 "days"'), '5'],
    ['12', formatOf(164, '#,##0.00\\ "Kč"'), '12'],
    ['1234.5', formatOf(164, '#,##0.00 [$€-407];[Red]-#,##0.00 [$€-407]'), '1234.5'],
    ['123', formatOf(164, '00000'), '00123'],
    ['0.30000000000000004', formatOf(0, undefined), '0.3'],
    ['4006381333931', formatOf(0, undefined), '4006381333931'],
    ['5.5E+3', formatOf(0, undefined), '5500'],
    ['1.5E-7', formatOf(0, undefined), '0.00000015'],
    ['12345678901234567', formatOf(0, undefined), '1.2345678901234568E+16'],
    ['x', DAY, 'x'],
  ])('%s is read by its format', (written, format, text) =>
    expect(textOfNumber(written, format, false)).toBe(text),
  );
});
