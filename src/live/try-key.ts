import type { Secrets } from '../control/connections/connections.ts';
import { shortText } from '../text/business-text.ts';
import { type Check, type Vendor, VendorError } from './vendor.ts';
import { createAccess, type Log, withoutSecrets } from './vendor-access.ts';
import { ANSWER_LIMITS, type FetchLimits } from './vendor-fetch.ts';

/** A person waits for a try, and its answers are small. */
const TRY: FetchLimits = {
  ...ANSWER_LIMITS,
  mostBytes: 8 * 2 ** 20,
  idleMs: 20_000,
  totalMs: 40_000,
};

export interface TryContext {
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly allowsLoopback?: boolean;
}

export interface KeyToTry {
  /** What the connection is called. */
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly secrets: Secrets;
}

export interface TriedKey {
  readonly check: Check;
  /** The names of the secrets that the vendor's client asked for. */
  readonly used: readonly string[];
}

/** Asks a vendor whether a key opens it. @throws VendorError */
export type TryKey = (vendor: Vendor, key: KeyToTry, context: TryContext) => Promise<TriedKey>;

/** Characters: it is kept, and shown wherever the connection is. */
const LONGEST_ACCOUNT = 200;

/** The vendor's own words are as long as it likes. @throws VendorError */
function withinBounds({ account, accountId, missing }: Check): Check {
  if (accountId !== undefined && accountId.length > 10 * LONGEST_ACCOUNT)
    throw new VendorError('bad_answer', `the id of its account has ${accountId.length} characters`);
  return {
    account: shortText(account, LONGEST_ACCOUNT),
    missing: missing.slice(0, 100),
    ...(accountId === undefined ? {} : { accountId }),
  };
}

/** Tries a key in this process. */
export const tryHere: TryKey = async (vendor, { name, settings, secrets }, context) => {
  const ending = AbortSignal.timeout(TRY.totalMs);
  const access = createAccess({ name, vendor: vendor.name, settings }, secrets, {
    ...context,
    signal: AbortSignal.any([context.signal, ending]),
    answerLimits: TRY,
  });
  const used = new Set<string>();
  const noting =
    <Value>(read: (name: string) => Value) =>
    (of: string) => {
      used.add(of);
      return read(of);
    };
  try {
    const check = await vendor.check({
      ...access,
      secret: noting(access.secret),
      secretIfAny: noting(access.secretIfAny),
    });
    return { check: withinBounds(check), used: [...used] };
  } catch (error) {
    if (error instanceof VendorError || context.signal.aborted) throw error;
    if (ending.aborted)
      throw new VendorError('vendor_down', `it did not answer all within ${TRY.totalMs / 1000} seconds`);
    // What nobody foresaw may quote a key, such as one that no header can hold.
    throw new Error(withoutSecrets(String(error instanceof Error ? error.stack : error), secrets));
  }
};
