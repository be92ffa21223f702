import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { csvRows } from '../oracle/csv-text.ts';
import { NO_SAMPLES, samples } from './samples.ts';
import { refusalOf, translateFiles } from './translated.ts';

describe('days as a spreadsheet wrote them', () => {
  const google = (day: string) => `Day,Campaign,Currency code,Cost,Impr.,Clicks\n${day},Brand,EUR,1.00,1,1\n`;
  const meta = (day: string) =>
    `Reporting starts,Reporting ends,Campaign name,Amount spent (EUR)\n${day},${day},Brand,1.00\n`;

  it.each([
    ['10/1/2026', 'mdy'],
    ['1.10.2026', 'dmy'],
    ['01-10-2026', 'dmy'],
    ['01/10/2026 0:00', 'dmy'],
  ])('%s is the first of October with %s, and is asked about', async (day, dates) => {
    for (const file of [google(day), meta(day)]) {
      await translateFiles(
        { 'a.csv': file },
        async ({ rows, rejects }) => {
          expect(rejects).toEqual([]);
          expect(await rows('ad_costs', 'cast(day as varchar), cost')).toEqual([['2026-10-01', 1]]);
        },
        { dates },
      );
      expect(await refusalOf({ 'a.csv': file })).toContain(
        'a date that may begin with the day or the month in',
      );
    }
  });

  it('the report names no column that another one stands in for', () =>
    translateFiles({ 'a.csv': google('2026-10-01').replace(',Clicks', ',Presses') }, ({ sources }) => {
      const said = sources[0]?.assumptions.join('\n');
      expect(said).toContain('no column "Clicks": ad_costs.clicks without it');
      expect(said).not.toContain('Impressions');
    }));
});

describe('Google Ads', () => {
  const REPORT = `Campaign report
"September 1, 2026 - September 2, 2026"
Day,Campaign,Campaign type,Currency code,Impr.,Clicks,Cost
2026-09-01,Brand,Search,EUR,"1,204",41,"€1,172.45"
2026-09-01,Brand,Search,EUR,6,1,"€0.05"
2026-09-02,Brand,Search,EUR,--,0,€0.00
Total: Campaigns,,,, "1,210",42,"€1,172.50"
`;
  const SELECTED = 'cast(day as varchar), source, medium, campaign, cost, clicks, impressions';
  const COSTS = [
    ['2026-09-01', 'google', 'cpc', 'Brand', 1172.5, 42, 1210],
    ['2026-09-02', 'google', 'cpc', 'Brand', 0, 0, null],
  ];

  it.each([
    ['with titles and totals', REPORT],
    [
      'in UTF-16 with tabs',
      Buffer.from(`\uFEFF${REPORT.replace(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/gm, '\t')}`, 'utf16le'),
    ],
    ['with CRLF', REPORT.replaceAll('\n', '\r\n')],
    ['without titles', REPORT.split('\n').slice(2).join('\n')],
  ])('is read %s', (_, file) =>
    translateFiles({ 'a.csv': file }, async ({ rows, rejects }) => {
      expect(rejects).toEqual([]);
      expect(await rows('ad_costs', SELECTED)).toEqual(COSTS);
    }),
  );

  it('tells of lines as they stand in the file, titles or not', () =>
    translateFiles({ 'a.csv': REPORT.replace('2026-09-02', 'yesterday') }, ({ rejects }) => {
      expect(rejects).toEqual([{ file: 'a.csv', line: 6, reason: 'must be a date, for example 2026-10-31' }]);
    }));

  it('counts a day and campaign of several files as the last of them has it', () =>
    translateFiles(
      {
        'a.csv': 'Day,Campaign,Currency code,Cost\n2026-10-01,Brand,EUR,10.50\n2026-10-02,Brand,EUR,3.00\n',
        'b.csv': 'Day,Campaign,Currency code,Cost\n2026-10-01,Brand,EUR,10.50\n2026-10-01,Brand,EUR,1.50\n',
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('ad_costs', 'cast(day as varchar), cost')).toEqual([
          ['2026-10-01', 12],
          ['2026-10-02', 3],
        ]);
      },
    ));

  it('tells of costs that differ between files, which may be those of two accounts', async () => {
    const report = (cost: string) =>
      `Day,Campaign,Currency code,Cost\n2026-10-01,Brand,EUR,${cost}\n2026-10-02,Brand,EUR,3.00\n`;
    const told = async (other: string) => {
      let said = '';
      await translateFiles({ 'a.csv': report('10.00'), 'b.csv': report(other) }, ({ sources }) => {
        said = sources.flatMap(({ assumptions }) => assumptions).join();
      });
      return said;
    };
    expect(await told('7.00')).toContain('1 day of a campaign costs something else in several files');
    expect(await told('10.00')).not.toContain('several files');
  });

  it('asks for the currency of a report without one', async () => {
    const file = {
      'a.csv': REPORT.replaceAll('EUR,', '').replace('Currency code,', '').replace(',,,,', ',,,'),
    };
    const refusal = await refusalOf(file);
    expect(refusal).toContain(
      'costs without their currency: 3 rows, the first is a.csv line 4. Say --currency EUR',
    );
    await translateFiles(
      file,
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(await rows('ad_costs', SELECTED)).toEqual(COSTS);
      },
      { currency: 'eur' },
    );
  });

  it('is refused without days, by its name', async () => {
    const file = 'Campaign report\n"All time"\nCampaign,Impr.,Clicks,Cost\nBrand,1,1,1.00\n';
    expect(await refusalOf({ 'a.csv': file })).toContain('a.csv is a report of Google Ads without days');
  });
});

describe('Meta', () => {
  const HEADER =
    'Reporting starts,Reporting ends,Campaign name,Ad name,Impressions,Link clicks,Amount spent (USD)';

  it('has its currency in a title, and its campaigns on a row for each advertisement', () =>
    translateFiles(
      {
        'a.csv': `${HEADER}
2026-09-01,2026-09-01,"Promo, Lima",A,5400,61,62.10
2026-09-01,2026-09-01,"Promo, Lima",B,100,2,"1,060.00"
2026-09-02,2026-09-02,"Promo, Lima",A,0,,
2026-09-02,2026-09-02,,,5500,63,1122.10
`,
      },
      async ({ rows, rejects }) => {
        expect(rejects).toEqual([]);
        expect(
          await rows('ad_costs', 'cast(day as varchar), source, medium, campaign, cost, clicks, impressions'),
        ).toEqual([
          ['2026-09-01', 'facebook', 'cpc', 'Promo, Lima', 1122.1, 63, 5500],
          ['2026-09-02', 'facebook', 'cpc', 'Promo, Lima', 0, null, 0],
        ]);
      },
    ));

  it('is refused where a row is of a period', () =>
    translateFiles({ 'a.csv': `${HEADER}\n2026-09-01,2026-09-30,Promo,A,5400,61,62.10\n` }, ({ rejects }) => {
      expect(rejects).toEqual([
        { file: 'a.csv', line: 2, reason: expect.stringContaining('is it of a period?') },
      ]);
    }));
});

/** Reports of Google Ads need not say their currency. */
const EUR = { currency: 'EUR' };

/** What the costs of a sample are, counted in plain TypeScript: days, campaigns and cents. */
function countCosts(text: string, cost: RegExp): Map<string, number> {
  const lines = csvRows(text);
  const at = lines.findIndex((line) => line.some((cell) => cost.test(cell)));
  const [header = [], ...rows] = lines.slice(at);
  const [day, campaign, amount] = [/^(day|reporting starts)$/i, /^campaign( name)?$/i, cost].map((name) =>
    header.findIndex((cell) => name.test(cell)),
  );
  const sums = new Map<string, number>();
  for (const row of rows.filter((each) => /^\d{4}-/.test(each[day ?? -1] ?? ''))) {
    const key = `${row[day ?? -1]} ${row[campaign ?? -1]}`;
    const cents = Math.round(100 * Number((row[amount ?? -1] ?? '').replace(/[^0-9.-]/g, '')));
    sums.set(key, (sums.get(key) ?? 0) + cents);
  }
  return sums;
}

const reconstructed = samples('reconstructed').filter(({ name }) => /^(google_ads|meta)/.test(name));
it.skipIf(reconstructed.length === 0)(
  `reads costs of every sample as an independent count does (${NO_SAMPLES}: none)`,
  async () => {
    for (const { name, path } of reconstructed)
      await translateFiles(
        path,
        async ({ rows, rejects }) => {
          expect(rejects, name).toEqual([]);
          const found = (await rows(
            'ad_costs',
            "cast(day as varchar) || ' ' || campaign, cast(round(cost * 100) as integer)",
          )) as [string, number][];
          expect(new Map(found), name).toEqual(
            countCosts(readFileSync(path, 'utf8'), /^(cost|amount spent.*)$/i),
          );
        },
        EUR,
      );
  },
);
