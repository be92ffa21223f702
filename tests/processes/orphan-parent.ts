import { fileURLToPath } from 'node:url';
import { JobProcesses } from '../../src/processes/job-processes.ts';

/**
 * A parent with a child that is stuck, for a test that kills the parent. It prints the child's process id.
 */
const processes = new JobProcesses({
  ...{ environment: {}, heapMb: 64, mostIdle: 1 },
  program: [fileURLToPath(new URL('misbehaving.ts', import.meta.url))],
});
const options = {
  limits: { residentMb: 400, seconds: 600, cpuSeconds: null, stuckCpuSeconds: 600, toldBytes: 1000 },
  signal: new AbortController().signal,
  log: { info: () => {}, warn: () => {}, error: () => {} },
};
console.log(await processes.run('its number', options));
await processes.run(process.argv[2] ?? '', options);
