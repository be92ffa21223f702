/**
 * Every package in package-lock.json has the hash of its content, so that `npm ci` installs nothing else. See
 * docs/decisions/0041-packages-without-a-hash.md for the exceptions.
 */
import { readFileSync } from 'node:fs';

interface LockedPackage {
  readonly version: string;
  readonly integrity?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}

/** Packages, with their versions so that an update is looked at again. Linux on x64 never installs them. */
const WITHOUT_HASH = [
  /^@biomejs\/cli-[a-z0-9-]+@2\.6\.8$/,
  /^@chdb\/lib-[a-z0-9-]+@26\.7\.3-stable\.1$/,
  /^@duckdb\/node-bindings-[a-z0-9-]+@1\.5\.6-r\.1$/,
  /^@oxc-parser\/binding-[a-z0-9-]+@0\.156\.0$/,
  /^@oxlint\/binding-[a-z0-9-]+@1\.94\.0$/,
  /^@oxlint-tsgolint\/[a-z0-9-]+@7\.0\.2007$/,
];

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, LockedPackage>;
};
const missing = Object.entries(packages)
  .filter(([path, { integrity }]) => path !== '' && !integrity?.startsWith('sha512-'))
  .map(([path, locked]) => ({ name: `${path.split('node_modules/').at(-1)}@${locked.version}`, locked }))
  .filter(({ name, locked }) => isUsualPlatform(locked) || !WITHOUT_HASH.some((known) => known.test(name)));

for (const { name } of missing) console.error(`package-lock.json: ${name} has no sha512 hash`);
if (missing.length > 0) {
  console.error(
    'Run `npm run lock`; what the registry does not have is allowed in scripts/check-lockfile.ts alone.',
  );
  process.exitCode = 1;
}

/** What the image and CI run on: there nothing is installed without its hash. */
function isUsualPlatform({ os, cpu, libc }: LockedPackage): boolean {
  const fits = (list: readonly string[] | undefined, item: string) => list?.includes(item) ?? true;
  return fits(os, 'linux') && fits(cpu, 'x64') && fits(libc, 'glibc');
}
