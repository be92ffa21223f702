/**
 * The list of which tests run when.
 *
 * `npm test` is for every commit: minutes, and what came out the same before is remembered.
 * `npm run test:full` is for every release: all of that with nothing remembered, ten times the random cases,
 * and the files named `*.full.test.ts`.
 */
import { availableParallelism } from 'node:os';
import type { TestUserConfig, UserWorkspaceConfig } from 'vitest/config';
import { PACKAGE_FOLDER } from '../src/version.ts';
import { LongFirst } from './support/long-first.ts';

export type Tier = 'quick' | 'full';

/** Those of a domain lie in its folder. */
const TESTS = ['tests/**/*.test.ts', 'src/domains/*/tests/**/*.test.ts'];

const FULL_ONLY = TESTS.map((files) => files.replace('*.test.ts', '*.full.test.ts'));

/** Test files that start programs, or change what cannot be changed back: each gets a process of its own. */
const ISOLATED = [
  ...FULL_ONLY,
  'tests/cli/**/*.test.ts',
  'tests/server/leaks.test.ts',
  // The test changes which certificates the process trusts.
  'tests/oauth/metadata-documents.test.ts',
];

// Workers and the commands that tests start share what Node made of the source (docs/decisions/0152).
process.env.NODE_COMPILE_CACHE ??= `${PACKAGE_FOLDER}/node_modules/.cache/storesight`;

const ENVIRONMENT: Readonly<Record<Tier, Record<string, string>>> = {
  quick: {},
  full: { STORESIGHT_RUNS: process.env.STORESIGHT_RUNS ?? '10', STORESIGHT_TEST_CACHE: 'off' },
};

export function testsOf(tier: Tier): TestUserConfig {
  return {
    // They are left in the opposite order: the engines stop before the folder goes.
    globalSetup: ['./tests/support/temporary-folder.ts', './tests/support/engines/global-setup.ts'],
    reporters: ['default', './tests/support/closing-line.ts'],
    // One more than there are cores: while one waits for ClickHouse, a command or the disk, the others have
    // all of them.
    maxWorkers: availableParallelism() + 1,
    // They run in the order of their names, in each the longer files first: the last ones are short, so that
    // all workers are busy to the end.
    sequence: { sequencer: LongFirst },
    projects: [
      project(tier, { name: '1 processes', include: ISOLATED }),
      // Loading the modules takes a second, so a worker loads them once for all its files.
      project(tier, { name: '2 answers', include: TESTS, exclude: ISOLATED, isolate: false }),
    ],
  };
}

function project(tier: Tier, { exclude = [], ...test }: TestUserConfig): UserWorkspaceConfig {
  return {
    test: {
      ...test,
      exclude: tier === 'full' ? exclude : [...exclude, ...FULL_ONLY],
      setupFiles: [
        './tests/support/plain-imports.ts',
        './tests/support/clean-process.ts',
        './tests/support/seed.ts',
      ],
      pool: 'forks',
      // Node runs TypeScript as it does the product: loading the modules takes a worker half of what vite's
      // transformation does.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      // Ten times the random cases of one test, on both engines.
      testTimeout: tier === 'full' ? 1_200_000 : 120_000,
      // Hooks make whole shops and import them into both engines, while another file does the same.
      hookTimeout: tier === 'full' ? 600_000 : 120_000,
      // What is waited for comes when the machine has time for it: a second is too short where others work.
      expect: { poll: { timeout: 60_000 } },
      // TRICKY: as in src/cli/main.ts; workers must have it before their first query.
      env: { UV_THREADPOOL_SIZE: '24', ...ENVIRONMENT[tier] },
    },
  } as UserWorkspaceConfig;
}
