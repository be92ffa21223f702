import { type Access, VendorError } from '../../../src/live/vendor.ts';

/** A clock that goes on when somebody waits, or when a test says so. */
export class Clock {
  #now: number;

  constructor(start: string) {
    this.#now = Date.parse(start);
  }

  now(): Date {
    return new Date(this.#now);
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds;
  }

  /** A vendor's clock, which is behind this one. */
  behind(milliseconds: number): VendorClock {
    return { now: () => new Date(this.#now - milliseconds) };
  }
}

export type VendorClock = Pick<Clock, 'now'>;

/** How a client reaches a stub within a test: no wait takes time. */
export function stubAccess(
  clock: Clock,
  {
    settings,
    secrets,
  }: {
    readonly settings: Readonly<Record<string, string>>;
    readonly secrets: Readonly<Record<string, string>>;
  },
): Access & { readonly logged: string[] } {
  const logged: string[] = [];
  const ask = async (request: Request) => {
    try {
      // A stub ends what it does not answer: a limit here would depend on how busy the machine is.
      return await fetch(request, { redirect: 'manual' });
    } catch (error) {
      throw new VendorError('vendor_down', 'no answer', { cause: error });
    }
  };
  return {
    logged,
    settings,
    secret: (name) => {
      const secret = secrets[name];
      if (secret === undefined) throw new VendorError('unauthorized', `there is no ${name}`);
      return secret;
    },
    secretIfAny: (name) => secrets[name] ?? null,
    fetch: ask,
    fetchFile: ask,
    socketTo: (host) => {
      throw new Error(`no vendor with such a stub connects to ${host}`);
    },
    now: () => clock.now(),
    sleep: async (milliseconds) => {
      if (milliseconds > 60_000) throw new Error(`waits ${milliseconds} ms within a run`);
      clock.pass(milliseconds);
    },
    signal: new AbortController().signal,
    log: (message, details) => void logged.push(`${message} ${JSON.stringify(details ?? {})}`),
  };
}
