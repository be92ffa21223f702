import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** The program of the official conformance suite. */
export const CONFORMANCE_SUITE = fileURLToPath(
  new URL('dist/index.js', import.meta.resolve('@modelcontextprotocol/conformance/package.json')),
);

export type Revision = '2025-11-25' | '2026-07-28';

export interface Scenario {
  readonly name: string;
  readonly checks: readonly Check[];
}

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly errorMessage?: string;
}

/**
 * Runs every scenario that a revision lists, also those that the suite does not count, and leaves nothing
 * out.
 */
export async function runScenarios(url: string, revision: Revision, folder: string): Promise<Scenario[]> {
  const child = spawn(process.execPath, [
    CONFORMANCE_SUITE,
    'server',
    ...['--url', url, '--requirements', revision, '--output-dir', folder],
  ]);
  const [printed, failed] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [, announced] = /\((\d+) scenarios\)/.exec(printed) ?? [];
  const scenarios = readdirSync(folder).map((name) => ({
    // The name of a folder is the scenario between `server-` and the moment of its start.
    name: name.replace(/^server-|-\d{4}-\d\d-\d\dT[\d-]+Z$/g, ''),
    checks: JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')) as Check[],
  }));
  if (scenarios.length !== Number(announced)) {
    throw new Error(`${scenarios.length} of ${announced} scenarios have a result: ${printed} ${failed}`);
  }
  return scenarios.sort((a, b) => (a.name < b.name ? -1 : 1));
}
