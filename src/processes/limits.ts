/** What a job in a process of its own may take. What takes more is killed, with its process. */
export interface Limits {
  /** Resident memory of the whole process, in MB of 2^20 bytes. */
  readonly residentMb: number;
  /** The seconds of a job from its beginning on, without the time in which it waits for a turn. */
  readonly seconds: number;
  /** Processor time of all its threads; null: as much as there is in that time. */
  readonly cpuSeconds: number | null;
  /**
   * Processor time in which it does one thing without coming back from it, as a search that does not end
   * does.
   */
  readonly stuckCpuSeconds: number;
  /** What it may tell: log, steps and result. */
  readonly toldBytes: number;
}

export type Limit = 'resident' | 'heap' | 'seconds' | 'cpu' | 'stuck' | 'told';

/** A job took more than it may, and was ended. The message says what and how much is allowed, for people. */
export class LimitError extends Error {
  override readonly name = 'LimitError';
  readonly limit: Limit;

  constructor(limit: Limit, limits: Limits) {
    super(WORDS[limit](limits));
    this.limit = limit;
  }
}

const WORDS: Readonly<Record<Limit, (limits: Limits) => string>> = {
  resident: ({ residentMb }) =>
    `it needed more than ${residentMb} MB of memory, which is the most that it may`,
  heap: () => 'what it held at once did not fit into the memory that it may use',
  seconds: ({ seconds }) => `it took longer than ${inWords(seconds)}, which is the most that it may`,
  cpu: ({ cpuSeconds }) =>
    `it computed for longer than ${inWords(cpuSeconds ?? 0)}, which is the most that it may`,
  stuck: ({ stuckCpuSeconds }) =>
    `one thing of what it read was computed for longer than ${inWords(stuckCpuSeconds)}, which is the most that it may`,
  told: ({ toldBytes }) => `it told more than ${toldBytes} bytes, which is the most that it may`,
};

/** A job waited for strangers for long, and was ended because others wait for its place. */
export class EndedForOthersError extends Error {
  override readonly name = 'EndedForOthersError';

  constructor() {
    super(
      'what it read came so slowly that others waited for it, and as many of these as may are being read; it is read when one of them has ended',
    );
  }
}

function inWords(seconds: number): string {
  return seconds < 120 ? `${seconds} seconds` : `${Math.round(seconds / 60)} minutes`;
}

/**
 * A process ended by itself in the middle of a job. The message says how, and holds nothing of what it read.
 */
export class EndedError extends Error {
  override readonly name = 'EndedError';
}
