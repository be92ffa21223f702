/**
 * What the thread that works tells the thread that watches it, in memory that both see: one cannot ask the
 * other, since it may be stuck.
 */
export const WATCHED = {
  /** Counts on while the working thread comes back from what it does. */
  beats: 0,
  /** Counts jobs; odd while one is worked on. */
  jobs: 1,
  isWaiting: 2,
  residentMb: 3,
  seconds: 4,
  /** 0 stands for any number. */
  cpuSeconds: 5,
  stuckCpuSeconds: 6,
} as const;

export const WATCHED_BYTES = 8 * Object.keys(WATCHED).length;

/** How often the working thread counts on. */
export const BEAT_MS = 250;

/** The pipe on which the watching thread says which limit it was. */
export const LIMIT_PIPE = 4;

/** The pipe over which a job reports to the process that started it. */
export const MESSAGE_PIPE = 3;
