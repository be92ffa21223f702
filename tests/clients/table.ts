import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';

/**
 * Whether a page under docs says what came out; `-- -u` writes it. Rows of clients that could not be tried
 * now stay as they are, so that a registry which is away fails nothing.
 */
export async function expectTable(
  page: string,
  about: string,
  columns: readonly string[],
  clients: readonly string[],
  results: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  const before = (await readFile(page, 'utf8').catch(() => '')).split('\n');
  const rows = clients.flatMap((client) => {
    const result = results.get(client);
    return result === undefined
      ? before.filter((line) => line.startsWith(`| ${client} |`))
      : [line([client, ...result])];
  });
  const table = [line(columns), line(columns.map(() => '---')), ...rows];
  await expect(`${about}\n${table.join('\n')}\n`).toMatchFileSnapshot(page);
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/**
 * Whether it went well, or the first line of why not: both stand in the table, and a change of either fails
 * the test of it.
 */
export async function outcome(check: () => Promise<unknown>): Promise<string> {
  try {
    await check();
    return 'yes';
  } catch (error) {
    return `no: ${told((error as Error).message)}`;
  }
}

function told(message: string): string {
  return message.split('\n')[0]?.replaceAll('|', '/').slice(0, 160).trim() ?? '';
}
