import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REPORTS_FILE, type Report } from './report.ts';

/**
 * Before all attacks: a place for their reports. After all: the table; as JSON in `STORESIGHT_ATTACK_REPORT`
 * too.
 */
export default async function collectReports(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'storesight-attack-'));
  const file = join(folder, 'reports.ndjson');
  await writeFile(file, '');
  process.env[REPORTS_FILE] = file;
  return async () => {
    const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean);
    const reports = lines.map((line): Report => JSON.parse(line));
    process.stdout.write(`\n${reports.map(table).join('\n')}\n`);
    const { STORESIGHT_ATTACK_REPORT: wanted } = process.env;
    if (wanted !== undefined) await writeFile(wanted, `${JSON.stringify(reports, null, 2)}\n`);
    await rm(folder, { recursive: true });
  };
}

function table({ topic, counts, worst }: Report): string {
  const figures = [...Object.entries(counts), ...Object.entries(worst)];
  const width = Math.max(...figures.map(([name]) => name.length));
  return [topic, ...figures.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`), ''].join('\n');
}
