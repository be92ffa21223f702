import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    pool: 'forks',
    // By default one core is left for watching; here every file is a process that mostly waits.
    maxWorkers: '100%',
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // TRICKY: as in src/cli/main.ts; workers must have it before their first query.
    env: { UV_THREADPOOL_SIZE: '24' },
  },
});
