import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { ClientPackage, Place } from './client-package.ts';

const INSTALL_MS = 300_000;

export interface Installed extends AsyncDisposable {
  readonly folder: string;
  readonly load: Place['load'];
}

/** The packages in a folder of their own; or why they cannot be had, as where there is no registry. */
export async function install(packages: readonly ClientPackage[]): Promise<Installed | string> {
  const folder = await mkdtemp(join(tmpdir(), 'storesight-clients-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const named = packages.flatMap(({ name, version, alias, beside = [] }) => [
    alias === undefined ? `${name}@${version}` : `${alias}@npm:${name}@${version}`,
    ...beside,
  ]);
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  // Imports of it are looked for from this folder.
  await writeFile(join(folder, 'load.js'), 'export const load = (specifier) => import(specifier);');
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--fetch-retries=1'];
  try {
    await promisify(execFile)('npm', ['install', ...options, ...new Set(named)], {
      cwd: folder,
      timeout: INSTALL_MS,
    });
  } catch (error) {
    await remove();
    return `the packages of the registry cannot be installed: ${String(error).split('\n')[0]}`;
  }
  const { load } = await import(pathToFileURL(join(folder, 'load.js')).href);
  return { folder, load, [Symbol.asyncDispose]: remove };
}
