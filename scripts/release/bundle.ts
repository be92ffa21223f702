/**
 * Writes `storesight.mcpb`: the package with everything it needs, which desktop apps install from one file.
 *
 * ```
 * npm run bundle
 * npm run bundle -- --package storesight-0.1.0.tgz    # of a package that was packed already
 * npm run bundle -- --os darwin --cpu arm64 -o storesight-darwin-arm64.mcpb
 * ```
 */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { bundleManifest } from './bundle-manifest.ts';
import { readManifest } from './manifest.ts';
import { releaseTool } from './release-tool.ts';

const run = promisify(execFile);
const OSES = ['darwin', 'linux', 'win32'] as const;
const CPUS = ['arm64', 'x64'] as const;

const { values } = parseArgs({
  options: {
    os: { type: 'string', default: process.platform },
    cpu: { type: 'string', default: process.arch },
    package: { type: 'string' },
    output: { type: 'string', short: 'o', default: 'storesight.mcpb' },
  },
});
const os = OSES.find((each) => each === values.os);
const cpu = CPUS.find((each) => each === values.cpu);
if (os === undefined || cpu === undefined)
  throw new Error(`--os is one of ${OSES.join(', ')} and --cpu one of ${CPUS.join(', ')}`);

const folder = await mkdtemp(join(tmpdir(), 'storesight-bundle-'));
try {
  const staged = await stage(folder);
  await releaseTool('mcpb', ['validate', join(staged, 'manifest.json')]);
  await releaseTool('mcpb', ['pack', staged, resolve(values.output)]);
  console.log(`${resolve(values.output)} is for ${os} on ${cpu}`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** The package as a registry has it, the packages that it needs on that platform, and the manifest. */
async function stage(into: string): Promise<string> {
  await run('tar', ['-xzf', values.package ?? (await pack(into)), '-C', into]);
  const staged = join(into, 'bundle');
  await rename(join(into, 'package'), staged);
  await cp('package-lock.json', join(staged, 'package-lock.json'));
  // No package that is needed at run time has a script of its own to install it.
  const only = ['--omit=dev', '--ignore-scripts', '--no-bin-links', '--no-audit', '--no-fund'];
  await run('npm', ['ci', '--prefer-offline', ...only, `--os=${os}`, `--cpu=${cpu}`], { cwd: staged });
  const manifest = bundleManifest(readManifest(), { os: os ?? 'linux' });
  await writeFile(join(staged, 'manifest.json'), JSON.stringify(manifest, null, 2));
  return staged;
}

async function pack(into: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', into]);
  return join(into, stdout.trim().split('\n').at(-1) ?? '');
}
