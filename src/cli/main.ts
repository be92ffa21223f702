#!/usr/bin/env node
// TRICKY: DuckDB queries occupy threads of libuv's pool; four would let slow queries hold up everything else.
process.env.UV_THREADPOOL_SIZE ??= '24';

const { runCommandLine } = await import('./program.ts');

await runCommandLine(process.argv);
