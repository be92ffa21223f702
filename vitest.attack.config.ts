import { defineConfig } from 'vitest/config';

/** Attacks on servers that run: minutes, and the whole machine, so they are not part of `npm test`. */
export default defineConfig({
  test: {
    include: ['tests/attack/**/*.attack.ts'],
    globalSetup: ['tests/support/temporary-folder.ts', 'tests/attack/print-reports.ts'],
    pool: 'forks',
    // One after the other: what is measured is one server, not the company it has.
    fileParallelism: false,
    testTimeout: 1_800_000,
    hookTimeout: 300_000,
    // TRICKY: as in src/cli/main.ts; workers must have it before their first query.
    env: { UV_THREADPOOL_SIZE: '24' },
  },
});
