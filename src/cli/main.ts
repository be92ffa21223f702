#!/usr/bin/env node
// TRICKY: DuckDB queries occupy threads of libuv's pool; four would let slow queries hold up everything else.
process.env.UV_THREADPOOL_SIZE ??= '24';
// What a merchant gave us is for this user's eyes only.
process.umask(0o077);

const { runCommandLine } = await import('./program.ts');

await runCommandLine(process.argv);
