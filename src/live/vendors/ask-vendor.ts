import { type Access, VendorError } from '../vendor.ts';
import { TooSlowError } from '../vendor-fetch.ts';
import { isDeep, MOST_DEEP } from './deep-json.ts';
import { noteClock } from './vendor-clock.ts';

/** How often a question is asked that failed for a passing reason. */
const ATTEMPTS = 5;

/** The longest wait within a run, in milliseconds: see `Access.sleep`. */
const LONGEST_WAIT = 60_000;

/** How often one request waits because the vendor says so. After that a later run asks again. */
const MOST_WAITS = 30;

const LATER = 15 * 60_000;

/**
 * The longest wait. A vendor that says more, such as a number that is no time any more, is asked after it.
 * `nextRun` waits no longer either.
 */
const MOST_SECONDS = 24 * 3600;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** What the JSON of the body says; undefined where the body is no JSON, which only failures are allowed. */
  readonly body: unknown;
}

interface Asked {
  /** The name of the vendor for people: `Shopify`. */
  readonly title: string;
  /** Made anew for each attempt: the body of a request can be read once. */
  request(): Request;
  /**
   * An answer that counts for nothing gives how long to wait, or a failure that passes. It is null for any
   * other answer. By default it is what status 429 says.
   */
  again?(answer: Answer, now: Date): number | VendorError | null;
}

/**
 * Asks a vendor for JSON, and again where the failure passes: no answer, a status of 5xx, an answer that was
 * cut off, or one that says how long to wait. Waits as long as the vendor says.
 *
 * @returns an answer with a status below 500 that is not 429
 * @throws VendorError
 */
export async function ask(access: Access, { title, request, again = retryAfter }: Asked): Promise<Answer> {
  let failures = 0;
  let waits = 0;
  for (;;) {
    access.signal.throwIfAborted();
    const answer = await attempt(access, title, request());
    const why = answer instanceof VendorError ? answer : again(answer, access.now());
    if (why === null) return answer as Answer;
    if (typeof why === 'number') {
      waits += 1;
      await waitOrGiveUp(access, title, waits > MOST_WAITS ? LATER : why);
      continue;
    }
    failures += 1;
    if (failures >= ATTEMPTS) throw why;
    await access.sleep(500 * 2 ** failures);
  }
}

async function attempt(access: Access, title: string, request: Request): Promise<Answer | VendorError> {
  let response: Response;
  try {
    response = await access.fetch(request);
  } catch (error) {
    access.signal.throwIfAborted();
    if (error instanceof VendorError && error.state === 'vendor_down') return error;
    throw error;
  }
  const { status, headers } = response;
  noteClock(access, headers);
  if (status >= 300 && status < 400)
    throw new VendorError(
      'bad_answer',
      `${title} redirects to another address, to which the key is not sent: give the address that the shop has now with \`source key\``,
    );
  let text: string;
  try {
    text = await response.text();
  } catch (error) {
    access.signal.throwIfAborted();
    // A request that was too long or too slow would be so again.
    if (error instanceof TooSlowError || (error instanceof VendorError && error.state === 'bad_answer'))
      throw error;
    return new VendorError('bad_answer', `an answer of ${title} was cut off`, { cause: error });
  }
  if (status >= 500) return new VendorError('vendor_down', `${title} answered with status ${status}`);
  if (isDeep(text))
    throw new VendorError(
      'bad_answer',
      `${title} answered with JSON that is nested more than ${MOST_DEEP} deep`,
    );
  try {
    return { status, headers, body: JSON.parse(text) };
  } catch (error) {
    if (status >= 400) return { status, headers, body: undefined };
    return new VendorError('bad_answer', `${title} answered with something that is no JSON`, {
      cause: error,
    });
  }
}

function retryAfter({ status, headers }: Answer, now: Date): number | null {
  return status === 429 ? secondsOf(headers.get('retry-after'), now) * 1000 : null;
}

/** `Retry-After` is a number of seconds or a moment. */
function secondsOf(header: string | null, now: Date): number {
  if (header === null) return 5;
  const seconds = /^\d+(\.\d+)?$/.test(header) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? 5 : Math.min(MOST_SECONDS, Math.max(1, seconds));
}

/** @throws VendorError where it takes longer than a run waits */
async function waitOrGiveUp(access: Access, title: string, milliseconds: number): Promise<void> {
  if (milliseconds > LONGEST_WAIT) {
    const retryAt = new Date(access.now().getTime() + milliseconds);
    throw new VendorError(
      'quota',
      `${title} takes no more requests until ${retryAt.toISOString()}; the connection goes on by itself then`,
      { retryAt },
    );
  }
  await access.sleep(milliseconds);
}
