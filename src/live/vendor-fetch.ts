import { lookup as lookupAddress } from 'node:dns';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import { type Duplex, pipeline, Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { isBomb, LARGEST_UNPACKED } from '../ingest/gzip.ts';
import { isLoopback } from '../network/loopback.ts';
import { NOT_PUBLIC, publicOnly, refusePrivate } from '../network/public-addresses.ts';
import { VERSION } from '../version.ts';
import { VendorError } from './vendor.ts';

export interface FetchLimits {
  /** The most that the body of an answer may have, unpacked. */
  readonly mostBytes: number;
  /** The longest wait until the answer has begun, its header whole, and between two parts of its body. */
  readonly idleMs: number;
  /** The longest time until its body has ended. */
  readonly totalMs: number;
  /**
   * After this long a wait for a body, at least this many bytes must arrive in each further second: a body
   * that drips holds a place.
   */
  readonly graceMs: number;
  readonly leastBytesPerSecond: number;
}

const SLOWEST = { graceMs: 30_000, leastBytesPerSecond: 4096 } as const;

/**
 * An answer is held in memory: a page of a list has a few MB at most, and a few MB of gzip may unpack to
 * gigabytes.
 */
export const ANSWER_LIMITS: FetchLimits = {
  ...SLOWEST,
  mostBytes: 32 * 2 ** 20,
  idleMs: 60_000,
  totalMs: 180_000,
};

/** A file is read piece by piece. It may take long; its parts may not. */
export const FILE_LIMITS: FetchLimits = {
  ...SLOWEST,
  mostBytes: 4 * 2 ** 30,
  idleMs: 60_000,
  totalMs: 3_600_000,
};

/** Asked again at once, it would be as slow again. */
export class TooSlowError extends VendorError {}

interface FetchOptions {
  readonly limits?: FetchLimits;
  /**
   * Whether this machine itself may be asked too, in tests and while developing, also over http and on any
   * port. Nothing else that is private may be.
   */
  readonly allowsLoopback?: boolean;
  readonly signal?: AbortSignal;
  readonly lookup?: LookupFunction;
  /** It is called with how many milliseconds an answer took, including its body. */
  readonly onEnd?: (milliseconds: number) => void;
}

/**
 * Asks a public address over https and follows no redirect: what a merchant wrote must not reach what only
 * this machine reaches. The address is judged where the connection takes it, as for metadata documents
 * (`src/oauth/public-fetch.ts`).
 */
export function createVendorFetch({
  limits = ANSWER_LIMITS,
  allowsLoopback = false,
  signal: runs,
  lookup = lookupAddress,
  onEnd: onAnswerEnd = () => {},
}: FetchOptions = {}): (request: Request) => Promise<Response> {
  return async (request) => {
    const url = new URL(request.url);
    const host = url.host;
    const isHere = allowsLoopback && isLoopback(url.hostname);
    if (!isHere) refuseUnsafe(url);
    const ending = new AbortController();
    const signals = [request.signal, ending.signal, ...(runs === undefined ? [] : [runs])];
    const signal = AbortSignal.any(signals);
    const sending = request.body === null ? null : Buffer.from(await request.arrayBuffer());
    const startedAt = performance.now();
    const totalTimer = setTimeout(() => ending.abort(new Error('it took too long')), limits.totalMs);
    const headers = {
      'user-agent': `Storesight/${VERSION}`,
      'accept-encoding': 'gzip, deflate, br',
      ...Object.fromEntries(request.headers),
      ...(sending === null ? {} : { 'content-length': String(sending.length) }),
    };
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const send = url.protocol === 'http:' ? requestHttp : requestHttps;
    const sent = send(url, {
      method: request.method,
      headers,
      signal,
      ...(isHere ? {} : { lookup: publicOnly(lookup) }),
    });
    const leave = () => sent.destroy(new Error('nothing came for too long'));
    sent.setTimeout(limits.idleMs, leave);
    // A header that comes letter by letter keeps the socket from being idle.
    const headerTimer = setTimeout(leave, limits.idleMs);
    sent.on('error', reject).once('response', resolve);
    // TRICKY: when an answer changes the protocol, Node tells only those who listen for it, and it never
    // reports an error after it.
    sent.once('upgrade', (_answer, socket) => {
      socket.destroy();
      reject(notAnHttpAnswer(host, 'changes the protocol'));
    });
    sent.once('close', () => reject(new Error('it was closed before an answer came')));
    sent.end(sending);
    let hasEnded = false;
    const onEnd = () => {
      clearTimeout(totalTimer);
      if (!hasEnded) onAnswerEnd(performance.now() - startedAt);
      hasEnded = true;
    };
    let answer: IncomingMessage;
    try {
      answer = await promise;
    } catch (error) {
      onEnd();
      throw error instanceof VendorError ? error : unreachable(host, error, [request.signal, runs]);
    } finally {
      clearTimeout(headerTimer);
    }
    const status = answer.statusCode ?? 0;
    if (status < 200 || status > 599) {
      onEnd();
      answer.destroy();
      throw notAnHttpAnswer(host, `answers with the status ${status}`);
    }
    // The answer forgets it when it has ended, maybe before anybody reads the body.
    const came = { socket: answer.socket, before: answer.socket.bytesRead };
    const hasBody = request.method !== 'HEAD' && ![204, 205, 304].includes(status);
    if (!hasBody) {
      onEnd();
      answer.resume();
    }
    const body = hasBody ? Readable.from(readBody(answer, came, host, limits, onEnd)) : null;
    // The generator above never runs where nobody reads the body: then only this event tells that it has
    // ended.
    body?.once('close', () => {
      onEnd();
      answer.destroy();
    });
    return new Response(body === null ? null : (Readable.toWeb(body) as ReadableStream), {
      status,
      headers: headersOf(answer),
    });
  };
}

function notAnHttpAnswer(host: string, what: string): VendorError {
  return new VendorError('bad_answer', `${host} ${what}, which no server of files or of an API does`);
}

function refuseUnsafe(url: URL): void {
  if (url.protocol !== 'https:' || url.port !== '' || url.username !== '' || url.password !== '')
    throw new VendorError(
      'bad_answer',
      `${url.host} must be reached over https on its usual port, without a user in the address`,
    );
  try {
    refusePrivate(url);
  } catch {
    throw notPublic(url.host);
  }
}

export function notPublic(host: string): VendorError {
  return new VendorError(
    'bad_answer',
    `${host} is no public address: connections reach only what is on the internet, nothing within this network`,
  );
}

/** The bytes of an answer as they come, before they are unpacked: those that its socket has read since. */
interface Came {
  readonly socket: Socket;
  readonly before: number;
}

/** The body, unpacked. It ends with an error where it is cut off, too long or too slow. */
async function* readBody(
  answer: IncomingMessage,
  came: Came,
  host: string,
  limits: FetchLimits,
  onEnd: () => void,
): AsyncGenerator<Buffer> {
  const unpacking = UNPACKING.get(String(answer.headers['content-encoding'] ?? '').toLowerCase());
  const source = unpacking === undefined ? answer : pipeline(answer, unpacking(), () => {});
  const pace = new Pace(answer, came, limits);
  let bytes = 0;
  let first: Buffer = Buffer.alloc(0);
  let last = first;
  try {
    pace.wait();
    for await (const chunk of source) {
      pace.go();
      last = chunk as Buffer;
      if (first.length === 0) first = last;
      bytes += (chunk as Buffer).length;
      if (bytes > limits.mostBytes)
        throw new VendorError('bad_answer', `${host} answers with more than ${limits.mostBytes} bytes`);
      if (unpacking !== undefined && isBomb(bytes, came.socket.bytesRead - came.before))
        throw new VendorError(
          'bad_answer',
          `the answer of ${host} unpacks to more than ${LARGEST_UNPACKED.times} times its size, as no real one does. Have the server send it unpacked`,
        );
      yield chunk as Buffer;
      pace.wait();
    }
    if (!answer.complete) throw cutOff(host);
    if (isOfUnknownLength(answer) && !isSurelyWhole(first, last))
      throw new VendorError(
        'bad_answer',
        `${host} does not say how long its answer is, and that ends in the middle of a line: it may have been cut off. ` +
          'Have the server send Content-Length, or end the file with a line end',
      );
  } catch (error) {
    if (error instanceof VendorError) throw error;
    throw pace.isTooSlow
      ? new TooSlowError('vendor_down', `${host} answers too slowly; it is asked again later`, {
          cause: error,
        })
      : cutOff(host, error);
  } finally {
    pace.end();
    onEnd();
    answer.destroy();
  }
}

/**
 * Whether an answer ends where the connection does, whether the server meant it or not. What was packed tells
 * its end by itself.
 */
function isOfUnknownLength({ headers }: IncomingMessage): boolean {
  return ['content-length', 'transfer-encoding', 'content-encoding'].every(
    (name) => headers[name] === undefined,
  );
}

/** An end of a line, of JSON or of XML; archives tell by themselves. */
function isSurelyWhole(first: Buffer, last: Buffer): boolean {
  const isArchive = ['\u001f\u008b', 'PK'].includes(first.subarray(0, 2).toString('latin1'));
  return last.length === 0 || isArchive || '\n\r>}]'.includes(String.fromCharCode(last.at(-1) as number));
}

/**
 * Ends an answer that comes more slowly than allowed. The time in which nobody waits for it does not count.
 */
class Pace {
  readonly #answer: IncomingMessage;
  readonly #limits: FetchLimits;
  readonly #came: Came;
  readonly #looking: NodeJS.Timeout;
  #waited = 0;
  /** It is null while nobody waits. */
  #waitsSince: number | null = null;
  isTooSlow = false;

  constructor(answer: IncomingMessage, came: Came, limits: FetchLimits) {
    this.#answer = answer;
    this.#limits = limits;
    this.#came = came;
    this.#looking = setInterval(() => this.#look(), Math.min(1000, limits.graceMs)).unref();
  }

  wait(): void {
    this.#waitsSince = performance.now();
  }

  go(): void {
    this.#waited = this.#waitedSoFar();
    this.#waitsSince = null;
  }

  end(): void {
    clearInterval(this.#looking);
  }

  #waitedSoFar(): number {
    return this.#waited + (this.#waitsSince === null ? 0 : performance.now() - this.#waitsSince);
  }

  #look(): void {
    const { graceMs, leastBytesPerSecond } = this.#limits;
    const late = this.#waitedSoFar() - graceMs;
    const bytes = this.#came.socket.bytesRead - this.#came.before;
    if (this.#waitsSince === null || late <= 0 || bytes >= (late / 1000) * leastBytesPerSecond) return;
    this.isTooSlow = true;
    this.#answer.destroy(new Error('it came too slowly'));
  }
}

const UNPACKING: ReadonlyMap<string, () => Duplex> = new Map([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', () => createInflate()],
  ['br', () => createBrotliDecompress()],
]);

function cutOff(host: string, cause?: unknown): VendorError {
  return new VendorError('vendor_down', `the answer of ${host} was cut off; it is asked again later`, {
    cause,
  });
}

function headersOf({ headers, rawHeaders }: IncomingMessage): Headers {
  const read = new Headers();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string;
    // The body was unpacked, so these headers would be wrong.
    if (/^(content-encoding|content-length)$/i.test(name) && headers['content-encoding'] !== undefined)
      continue;
    read.append(name, rawHeaders[index + 1] as string);
  }
  return read;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'no server answers there',
  ECONNRESET: 'the connection broke',
  EPIPE: 'the connection broke',
  EAI_AGAIN: 'its name cannot be resolved now',
  ETIMEDOUT: 'it does not answer in time',
  EHOSTUNREACH: 'it cannot be reached',
  ENETUNREACH: 'it cannot be reached',
  CERT_HAS_EXPIRED: 'its certificate has expired',
};

/** Why nothing was answered, in words; where the run was stopped, by what. */
export function unreachable(
  host: string,
  error: unknown,
  stopping: readonly (AbortSignal | undefined)[],
): unknown {
  const stopped = stopping.find((signal) => signal?.aborted);
  if (stopped !== undefined) return stopped.reason;
  const { code = '', message } = error as NodeJS.ErrnoException;
  // The message is one sentence, and does not tell which names there are within this network.
  if (message === NOT_PUBLIC || code === 'ENOTFOUND')
    return new VendorError(
      'vendor_down',
      `${host} leads nowhere on the internet: check the address. Connections reach nothing within this network`,
    );
  return new VendorError('vendor_down', `${host} does not answer: ${REASONS[code] ?? 'no answer came'}`, {
    cause: error,
  });
}
