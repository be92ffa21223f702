import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The package as a registry would have it; it is compiled for that. */
export async function packPackage(folder: string): Promise<string> {
  const { stdout } = await promisify(execFile)('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: resolve(import.meta.dirname, '../..'),
  });
  return join(folder, stdout.trim().split('\n').at(-1) ?? '');
}
