import { setTimeout } from 'node:timers/promises';
import type { Connection, Secrets } from '../control/connections/connections.ts';
import { type Access, VendorError } from './vendor.ts';
import { ANSWER_LIMITS, createVendorFetch, type FetchLimits, FILE_LIMITS } from './vendor-fetch.ts';
import { socketTo } from './vendor-socket.ts';

/** The operator's log, called as pino is. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface AccessOptions {
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Whether stubs of vendors on this machine may be asked too, for tests and development. */
  readonly allowsLoopback?: boolean;
  /** The limits for all that the vendor answers, files too. Without them, those of a run hold. */
  readonly answerLimits?: FetchLimits;
  /** How long its vendor may have a turn wait, all answers and pauses together, in milliseconds. */
  readonly talkMs?: number;
}

/** Instead of waiting longer than this, a run ends, so that another connection can use its place. */
const LONGEST_WAIT_MS = 60_000;

/** Twice what reading and comparing may take, and a last page of each. Files have limits of their own. */
const TALK_MS = 600_000;

export function createAccess(
  { name, vendor, settings }: Pick<Connection, 'name' | 'vendor' | 'settings'>,
  secrets: Secrets,
  { log, signal, allowsLoopback = false, answerLimits, talkMs = TALK_MS }: AccessOptions,
): Access {
  let talked = 0;
  const spend = (milliseconds: number) => {
    talked += milliseconds;
  };
  /** @throws VendorError */
  const refuseLong = () => {
    if (talked > talkMs)
      throw new VendorError(
        'vendor_down',
        `it had us wait for more than ${Math.round(talkMs / 1000)} seconds in one turn; what came whole is kept, and the next turn goes on`,
      );
  };
  const fetchWithin = (limits: FetchLimits, onEnd: (milliseconds: number) => void) => {
    const fetch = createVendorFetch({ allowsLoopback, signal, limits, onEnd });
    return async (request: Request) => {
      signal.throwIfAborted();
      refuseLong();
      return fetch(request);
    };
  };
  return {
    settings,
    secret: (secret) => {
      const text = secrets[secret];
      if (text === undefined) throw new VendorError('unauthorized', `the connection has no ${secret}`);
      return text;
    },
    secretIfAny: (secret) => secrets[secret] ?? null,
    fetch: fetchWithin(answerLimits ?? ANSWER_LIMITS, spend),
    fetchFile: fetchWithin(answerLimits ?? FILE_LIMITS, () => {}),
    socketTo: (host) => socketTo(host, { allowsLoopback, signal }),
    now: () => new Date(),
    sleep: async (milliseconds) => {
      if (milliseconds > LONGEST_WAIT_MS)
        throw new VendorError('quota', 'the vendor asks to wait; it is asked again later', {
          retryAt: new Date(Date.now() + milliseconds),
        });
      refuseLong();
      spend(milliseconds);
      await setTimeout(milliseconds, undefined, { signal });
    },
    signal,
    log: (message, details = {}) => log.info({ connection: name, vendor, ...details }, message),
  };
}

/** A text without the secrets that may stand in it, for people and logs. */
export function withoutSecrets(text: string, secrets: Secrets): string {
  return Object.values(secrets)
    .filter((secret) => secret.length >= 4)
    .toSorted((one, other) => other.length - one.length)
    .reduce(
      (rest, secret) =>
        rest.replaceAll(secret, '(secret)').replaceAll(encodeURIComponent(secret), '(secret)'),
      text,
    );
}
