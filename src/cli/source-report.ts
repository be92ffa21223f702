import type { ImportReport } from '../snapshot/import-report.ts';
import { differenceSentence } from '../snapshot/report-words.ts';
import { table } from './text-table.ts';

/** What was recognised, and how it compares with what is answered now, for a person. */
export function describeSources({
  sources,
  reconciliation,
}: Pick<ImportReport, 'sources' | 'reconciliation'>): string[] {
  if (sources.length === 0) return [];
  const recognised = sources.map(({ title, files, rows, tables, columns_ignored }) => ({
    recognised: title,
    files: files.length,
    rows,
    'columns not read': columns_ignored,
    becomes: tables.join(', '),
  }));
  const compared = reconciliation.flatMap(({ source, currency, orders, gross, refunds }) => [
    {
      [source]: `orders`,
      'in files': orders.in_file,
      stored: orders.stored,
      'counted by tools': orders.valid,
    },
    {
      [source]: `total${currency === null ? '' : ` ${currency}`}`,
      'in files': gross.in_file,
      stored: gross.stored,
      'counted by tools': gross.revenue,
    },
    { [source]: 'refunds', 'in files': refunds.in_file, stored: refunds.stored, 'counted by tools': '' },
  ]);
  const differences = reconciliation.flatMap((each) =>
    each.differences.map((difference) => differenceSentence(difference, each.currency)),
  );
  return [
    table(recognised, ''),
    ...(compared.length === 0 ? [] : ['', table(compared, '')]),
    ...differences,
    ...sources.flatMap(({ assumptions }) => assumptions.map((assumption) => `Mind: ${assumption}`)),
    '',
  ];
}
