import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CODE_VERSION_FILE } from '../../scripts/code-version.ts';

const HERE = fileURLToPath(new URL('../..', import.meta.url));

/**
 * This checkout as it may be some days later: of another version of the package, and with another version of
 * the model.
 */
export class OtherCheckout implements AsyncDisposable {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make({ version }: { readonly version: string }): Promise<OtherCheckout> {
    const folder = await mkdtemp(join(tmpdir(), 'storesight-checkout-'));
    await cp(join(HERE, 'src'), join(folder, 'src'), { recursive: true });
    await symlink(join(HERE, 'node_modules'), join(folder, 'node_modules'));
    const manifest = JSON.parse(await readFile(join(HERE, 'package.json'), 'utf8'));
    await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, version }));
    const code = join(folder, CODE_VERSION_FILE.slice(HERE.length));
    const text = await readFile(code, 'utf8');
    await writeFile(code, text.replace(/'[0-9a-f]{12}'/, "'0123456789ab'"));
    return new OtherCheckout(folder);
  }

  /** What Node runs. */
  get program(): readonly string[] {
    return ['--disable-warning=ExperimentalWarning', join(this.folder, 'src/cli/main.ts')];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
