// Cancelled orders and money that was paid back, in tables that no source knows.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { choicesOf, mappingOf } from '../../src/sources/mapping/chosen-columns.ts';
import { mapFile } from '../../src/sources/mapping/map-file.ts';
import { readMapping } from '../../src/sources/mapping/read-mapping.ts';
import { temporaryFolder } from '../ingest/staging.ts';
import { fewerInQuick } from '../support/runs.ts';
import { lookAtTable, proposedAsOrders } from './proposed-table.ts';
import { refusalOf, translateFiles } from './translated.ts';

const SETTINGS = { timezone: 'UTC', currency: 'EUR' };

async function proposedMapping(csv: string): Promise<string> {
  const table = await lookAtTable(csv);
  const { text } = mappingOf('table.csv', table.columns, proposedAsOrders(table));
  const again = choicesOf(readMapping(text, 'm'), table.columns);
  expect(again === null ? null : mappingOf('table.csv', table.columns, again).text).toBe(text);
  return text;
}

async function draftOf(csv: string): Promise<string> {
  using folder = temporaryFolder();
  const path = join(folder.path, 'table.csv');
  writeFileSync(path, csv);
  return (await mapFile(path, undefined)).mapping;
}

describe('an order that was cancelled', () => {
  it.each(
    fewerInQuick(
      [
        ['Cancelled at', '2026-03-06 10:00'],
        ['Datum storna', '6.3.2026'],
        ["Date d'annulation", '2026-03-06'],
        ['Fecha de cancelación', '2026-03-06'],
        ['Data anulowania', '2026-03-06'],
      ],
      2,
    ),
  )('is told by its date under %s, with no status', async (title, day) => {
    const csv = `Order number;Order date;Order total;${title}\n1;2026-03-05;10.00;\n2;2026-03-05;20.00;${day}\n`;
    for (const mapping of [await proposedMapping(csv), await draftOf(csv)])
      await translateFiles(
        { 'table.csv': csv },
        async ({ rows, rejects, sources }) => {
          expect(rejects).toEqual([]);
          expect(await rows('orders', 'order_id, status')).toEqual([
            ['1', 'paid'],
            ['2', 'cancelled'],
          ]);
          expect(sources[0]?.assumptions.join('\n')).toContain('but those with a date of their cancellation');
        },
        SETTINGS,
        mapping,
      );
  });

  it('is told by its date, whatever its status says', async () => {
    const csv =
      'Order number,Order date,Order total,Status,Cancelled at\n1,2026-03-05,10.00,shipped,\n2,2026-03-05,20.00,shipped,2026-03-06\n';
    await translateFiles(
      { 'table.csv': csv },
      async ({ rows }) => {
        expect(await rows('orders', 'order_id, status')).toEqual([
          ['1', 'fulfilled'],
          ['2', 'cancelled'],
        ]);
      },
      SETTINGS,
      await proposedMapping(csv),
    );
  });

  it.each(
    fewerInQuick(
      [
        ['English', 'Canceled', 'Shipped'],
        ['Czech', 'Stornovaná', 'Vyřízená'],
        ['German', 'Storniert', 'Versandt'],
        ['French', 'Annulée', 'Livrée'],
        ['Spanish', 'Cancelado', 'Entregado'],
        ['Italian', 'Annullato', 'Spedito'],
        ['Polish', 'Anulowane', 'Zrealizowane'],
        ['Dutch', 'Geannuleerd', 'Verzonden'],
        ['Portuguese', 'Cancelado', 'Entregue'],
        ['Russian', 'Отменён', 'Выполнен'],
      ],
      2,
    ),
  )('is told by its status in %s', async (_, cancelled, done) => {
    const csv = `Order number,Order date,Order total,Status\n1,2026-03-05,10.00,${done}\n2,2026-03-05,20.00,${cancelled}\n`;
    for (const mapping of [await proposedMapping(csv), await draftOf(csv)])
      await translateFiles(
        { 'table.csv': csv },
        async ({ rows, rejects }) => {
          expect(rejects).toEqual([]);
          expect(await rows('orders', 'order_id, status')).toEqual([
            ['1', 'fulfilled'],
            ['2', 'cancelled'],
          ]);
        },
        SETTINGS,
        mapping,
      );
  });

  it('is asked for where a status leaves doubt', async () => {
    const csv =
      'Order number,Order date,Order total,Status\n1,2026-03-05,10.00,Open\n2,2026-03-05,20.00,Cancelled\n';
    expect(await refusalOf({ 'table.csv': csv }, SETTINGS, await proposedMapping(csv))).toContain(
      'a status that the mapping does not know in "Status"',
    );
    expect(await draftOf(csv)).toContain('values: {"Cancelled": cancelled, "Open": TODO}');
  });
});

describe('money that was paid back', () => {
  const refunds = (csv: string, mapping: string) =>
    new Promise<unknown>((resolve, reject) => {
      translateFiles(
        { 'table.csv': csv },
        async ({ rows, rejects }) =>
          resolve({
            rejects: rejects.map(({ reason }) => reason),
            refunds: await rows('refunds', `order_id, amount, strftime(refunded_at, '%Y-%m-%d')`),
          }),
        SETTINGS,
        mapping,
      ).catch(reject);
    });

  it.each(
    fewerInQuick(
      [
        ['Refunded amount', '5.00'],
        ['Refunded amount', '-5.00'],
        ['Total refunded', '(5.00)'],
        ['Vrácená částka', '5.00'],
        ['Kwota zwrotu', '5.00'],
      ],
      3,
    ),
  )('is a refund of its day: status %s, date %s', async (title, amount) => {
    const csv = `Order number,Order date,Order total,${title}\n1,2026-03-05,10.00,0.00\n2,2026-03-06,20.00,${amount}\n`;
    for (const mapping of [await proposedMapping(csv), await draftOf(csv)])
      expect(await refunds(csv, mapping)).toEqual({ rejects: [], refunds: [['2', 5, '2026-03-06']] });
  });

  it('has a day of its own where a column says it', async () => {
    const csv =
      'Order number,Order date,Order total,Refunded amount,Refund date\n1,2026-03-05,10.00,5.00,2026-04-01\n';
    for (const mapping of [await proposedMapping(csv), await draftOf(csv)])
      expect(await refunds(csv, mapping)).toEqual({ rejects: [], refunds: [['1', 5, '2026-04-01']] });
  });

  it('is listed for lines that differ, and not taken for that of the order', async () => {
    const csv = `Order number,Order date,Order total,SKU,Quantity,Unit price,Refunded amount
1,2026-03-05,30.00,A,1,10.00,10.00
1,2026-03-05,30.00,B,1,20.00,0.00
`;
    expect(await refunds(csv, await proposedMapping(csv))).toEqual({
      rejects: [expect.stringContaining('says different things of its amount in its rows')],
      refunds: [],
    });
  });
});
