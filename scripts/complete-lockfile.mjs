/**
 * Completes package-lock.json after `npm install`: npm leaves out the packages of other platforms that its registry
 * does not have, and then `npm ci` refuses the file, since it wants every optional dependency in it, also those that it
 * skips. Those packages are added without a hash, which scripts/check-lockfile.ts must allow. Every run asks the
 * registry for them anew, so that they get their hash as soon as it has them.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';

const FILE = 'package-lock.json';
const PLATFORM = /(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)-([a-z0-9]+)/;

const known = read();
for (const [path, { integrity }] of Object.entries(known.packages)) {
  if (path !== '' && integrity === undefined) delete known.packages[path];
}
write(known);
execFileSync('npm', ['install', '--package-lock-only'], { stdio: 'inherit' });

const lock = read();
for (const { dev, optionalDependencies = {} } of Object.values({ ...lock.packages })) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const path = `node_modules/${name}`;
    if (lock.packages[path] !== undefined) continue;
    const [, os = name === 'fsevents' ? 'darwin' : undefined, cpu] = PLATFORM.exec(name) ?? [];
    if (os === undefined) throw new Error(`no platform in the name of ${name}`);
    lock.packages[path] = {
      version: version.replace(/^[~^]/, ''),
      ...(cpu === undefined ? {} : { cpu: [cpu] }),
      ...(dev ? { dev } : {}),
      ...(name.includes('musl') ? { libc: ['musl'] } : {}),
      optional: true,
      os: [os],
    };
    console.log(`added without a hash: ${name}`);
  }
}
const sorted = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
write({ ...lock, packages: sorted });

function read() {
  return JSON.parse(readFileSync(FILE, 'utf8'));
}

function write(content) {
  writeFileSync(FILE, `${JSON.stringify(content, null, 2)}\n`);
}
