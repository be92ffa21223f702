import { basename, sep } from 'node:path';

/** How the person at this terminal starts a command of this program: what messages give to copy. */
export function calledAs(program: string = process.argv[1] ?? ''): string {
  if (basename(program) === 'main.ts') return 'npm run -s storesight --';
  return isInCacheOfNpx(program) ? 'npx storesight' : 'storesight';
}

/** npx unpacks a package into a cache, which npm may empty: a path there is not for settings that stay. */
export function isInCacheOfNpx(program: string): boolean {
  return program.includes(`${sep}_npx${sep}`);
}
