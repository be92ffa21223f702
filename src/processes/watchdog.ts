import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { Limit } from './limits.ts';
import { BEAT_MS, LIMIT_PIPE, WATCHED } from './watched.ts';

/**
 * The thread that watches a process of ours from within, whatever its working thread does: what takes more
 * than it may, or whose parent is gone, is killed.
 */
const { shared, parent } = workerData as { readonly shared: SharedArrayBuffer; readonly parent: number };
const watched = new Float64Array(shared);
const read = (name: keyof typeof WATCHED) => watched[WATCHED[name]] ?? 0;

const IDLE_MS = 1000;
const WORKING_MS = 100;
/** A machine that slept does not count as time that a job took. */
const MOST_STEP_MS = 5 * BEAT_MS;

let job = 0;
let milliseconds = 0;
let cpuAtStart = 0;
let beats = 0;
let cpuAtBeat = 0;
let sinceBeat = 0;
let lookedAt = performance.now();

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function kill(limit: Limit | null): never {
  try {
    if (limit !== null) writeSync(LIMIT_PIPE, limit);
  } catch {
    // Nobody reads it any more.
  }
  process.kill(process.pid, 'SIGKILL');
  throw new Error('it is killed');
}

function look(): void {
  if (process.ppid !== parent) kill(null);
  const now = performance.now();
  const step = Math.min(MOST_STEP_MS, now - lookedAt);
  lookedAt = now;
  const jobs = read('jobs');
  if (jobs % 2 === 1) watch(jobs, step);
  setTimeout(look, jobs % 2 === 1 ? WORKING_MS : IDLE_MS);
}

function watch(jobs: number, step: number): void {
  const cpu = cpuSeconds();
  if (jobs !== job) {
    job = jobs;
    milliseconds = 0;
    cpuAtStart = cpu;
    beats = -1;
  }
  if (read('beats') !== beats) {
    beats = read('beats');
    cpuAtBeat = cpu;
    sinceBeat = 0;
  }
  sinceBeat += step;
  if (read('isWaiting') === 0) milliseconds += step;
  const most = read('cpuSeconds');
  if (process.memoryUsage.rss() > read('residentMb') * 2 ** 20) kill('resident');
  if (milliseconds > 1000 * read('seconds')) kill('seconds');
  if (most > 0 && cpu - cpuAtStart > most) kill('cpu');
  // The threads of an engine compute beside it: only both together say that it is stuck, and not that the
  // machine is slow.
  if (Math.min(cpu - cpuAtBeat, sinceBeat / 1000) > read('stuckCpuSeconds')) kill('stuck');
}

look();
