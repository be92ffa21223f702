import * as openid from 'openid-client';
import { ENGLISH, type Messages } from '../messages/messages.ts';

/** The minutes that a person may take at the provider. */
export const SIGN_IN_MINUTES = 10;

/** The messages to a person: what happened and what to do next. */
const MESSAGES = {
  unavailable: 'provider.unavailable',
  'no-provider': 'provider.no-provider',
  'client-refused': 'provider.client-refused',
  cancelled: 'provider.cancelled',
  unproven: 'provider.unproven',
  'no-email': 'provider.no-email',
  'unverified-email': 'provider.unverified-email',
  'no-account': 'provider.no-account',
} as const;

/** The messages of failures that are not the provider's. */
const MESSAGES_WITHOUT_NAME = {
  'not-begun': 'provider.not-begun',
  'another-sign-in': 'provider.another-sign-in',
  used: 'provider.used',
} as const;

export type SignInFailure = keyof typeof MESSAGES | keyof typeof MESSAGES_WITHOUT_NAME | 'expired';

function sayFailure(failure: SignInFailure, name: string, { say }: Messages): string {
  if (failure === 'expired') return say('provider.expired', { minutes: SIGN_IN_MINUTES });
  if (failure === 'not-begun' || failure === 'another-sign-in' || failure === 'used')
    return say(MESSAGES_WITHOUT_NAME[failure]);
  return say(MESSAGES[failure], { name });
}

/**
 * A failed sign-in at the provider. Its message is for the person, and holds no token, code or e-mail.
 * TRICKY: it has no `cause`, since the library's errors carry whole responses.
 */
export class SignInError extends Error {
  override readonly name = 'SignInError';
  readonly failure: SignInFailure;
  /** The codes of the errors beneath, for the log; empty if there are none. */
  readonly detail: string;
  readonly #providerName: string;

  constructor(failure: SignInFailure, providerName: string, detail: string) {
    super(sayFailure(failure, providerName, ENGLISH));
    this.#providerName = providerName;
    this.failure = failure;
    this.detail = detail;
  }

  in(messages: Messages): string {
    return sayFailure(this.failure, this.#providerName, messages);
  }
}

/** The failure that an error of openid-client means. */
export function failureOf(error: unknown): SignInFailure {
  if (error instanceof openid.AuthorizationResponseError) return FAILURES.get(error.error) ?? 'unproven';
  if (error instanceof openid.ResponseBodyError) {
    return FAILURES.get(error.error) ?? (error.status >= 500 ? 'unavailable' : 'unproven');
  }
  if (error instanceof openid.WWWAuthenticateChallengeError) {
    // With the scheme Bearer the endpoint of the e-mail refuses a token; with any other scheme our client
    // secret was refused.
    return error.cause.some(({ scheme }) => scheme === 'bearer') ? 'unproven' : 'client-refused';
  }
  return isOutage(error) ? 'unavailable' : 'unproven';
}

/** The failures by the error codes of OAuth 2.0, from either endpoint. */
const FAILURES: ReadonlyMap<string, SignInFailure> = new Map([
  ['access_denied', 'cancelled'],
  ['server_error', 'unavailable'],
  ['temporarily_unavailable', 'unavailable'],
  ['invalid_client', 'client-refused'],
  ['unauthorized_client', 'client-refused'],
  ['invalid_grant', 'used'],
]);

function isOutage(error: unknown): boolean {
  const causes = causesOf(error);
  const response = causes.at(-1)?.cause;
  if (isResponse(response)) return response.status >= 500 || response.status === 429;
  // A `fetch` that got no answer throws a bare TypeError; errors of the library have a code.
  const isUnanswered = error instanceof TypeError && !('code' in error);
  return isUnanswered || causes.some(({ name }) => name === 'TimeoutError');
}

/** Codes only: messages and causes quote what the provider sent. */
export function detailOf(error: unknown): string {
  const causes = causesOf(error);
  const codes = causes.flatMap((cause) => ['code' in cause && cause.code, 'error' in cause && cause.error]);
  const last = causes.at(-1)?.cause;
  if (isResponse(last)) codes.push(`http_${last.status}`);
  else if (typeof last === 'object' && last !== null && 'claim' in last) codes.push(last.claim);
  const words = codes.filter((code) => typeof code === 'string' && /^([a-z_]{1,60}|http_\d{3})$/i.test(code));
  return [...new Set(words)].join(' ');
}

/**
 * TRICKY: `instanceof Response` would be false. In a process that serves, @hono/node-server puts its own
 * class under that name, and what `fetch` returns is not an instance of it.
 */
function isResponse(value: unknown): value is Response {
  return Object.prototype.toString.call(value) === '[object Response]';
}

/** The error, its cause, the cause of that, and so on. */
function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
