/**
 * Adds the packages of other platforms that npm leaves out of package-lock.json when its registry does not have them:
 * `npm ci` wants every optional dependency in the lock, also those that it then skips. Run after every `npm install`.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const PLATFORM = /(aix|android|darwin|freebsd|linux|netbsd|openbsd|openharmony|sunos|win32)-([a-z0-9]+)/;

for (const { optionalDependencies = {} } of Object.values({ ...lock.packages })) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const path = `node_modules/${name}`;
    if (lock.packages[path] !== undefined) continue;
    const [, os = name === 'fsevents' ? 'darwin' : undefined, cpu] = PLATFORM.exec(name) ?? [];
    if (os === undefined) throw new Error(`no platform in the name of ${name}`);
    lock.packages[path] = {
      version: version.replace(/^[~^]/, ''),
      ...(cpu === undefined ? {} : { cpu: [cpu] }),
      optional: true,
      os: [os],
      ...(name.includes('musl') ? { libc: ['musl'] } : {}),
    };
    console.log(`added ${name}`);
  }
}

const sorted = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync('package-lock.json', `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`);
