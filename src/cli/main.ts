import { enableCompileCache } from 'node:module';
import { PACKAGE_FOLDER } from '../version.ts';

// TRICKY: each DuckDB query occupies a thread of libuv's pool; with the usual four, slow queries would hold
// up files, passwords and names of hosts. At most 100 queries run at once (src/server/settings.ts). Idle
// threads cost little.
process.env.UV_THREADPOOL_SIZE ??= '128';
// Data of a merchant is for this user's eyes only.
process.umask(0o077);
// A reader such as `head` may leave early, which is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// Node keeps here what it made of our source, where it may write: a command then starts in half the time
// (docs/decisions/0152).
enableCompileCache(`${PACKAGE_FOLDER}/node_modules/.cache/storesight`);

const { runCommandLine } = await import('./run-command-line.ts');

await runCommandLine(process.argv);
