#!/usr/bin/env node
// TRICKY: DuckDB queries occupy threads of libuv's pool; four would let slow queries hold up everything else.
process.env.UV_THREADPOOL_SIZE ??= '24';
// What a merchant gave us is for this user's eyes only.
process.umask(0o077);
// A reader such as `head` may leave early, which is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const { runCommandLine } = await import('./program.ts');

await runCommandLine(process.argv);
