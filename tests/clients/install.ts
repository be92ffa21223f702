import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Place } from './client-package.ts';

/** Hundreds of megabytes for some hosts. */
const INSTALL_MS = 300_000;

export interface Installed extends AsyncDisposable {
  readonly folder: string;
  readonly load: Place['load'];
}

interface Package {
  readonly name: string;
  readonly version: string;
  readonly beside?: readonly string[];
}

/** A package in a folder of its own; or why it cannot be had, as where there is no registry. */
export async function install({ name, version, beside = [] }: Package): Promise<Installed | string> {
  const folder = await mkdtemp(join(tmpdir(), 'storesight-client-'));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  // Imports of it are looked for from this folder.
  await writeFile(join(folder, 'load.js'), 'export const load = (specifier) => import(specifier);');
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--fetch-retries=1'];
  try {
    await promisify(execFile)('npm', ['install', ...options, `${name}@${version}`, ...beside], {
      cwd: folder,
      timeout: INSTALL_MS,
    });
  } catch (error) {
    await remove();
    return `${name}@${version} cannot be installed: ${String(error).split('\n')[0]}`;
  }
  const { load } = await import(pathToFileURL(join(folder, 'load.js')).href);
  return { folder, load, [Symbol.asyncDispose]: remove };
}
