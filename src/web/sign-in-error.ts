import * as openid from 'openid-client';

/** How long a person may take at the provider. */
export const SIGN_IN_MINUTES = 10;

/** What a person is told: what happened and what to do next. */
const MESSAGES = {
  unavailable: (name: string) =>
    `${name} does not answer. Try again in a few minutes, or sign in with a password.`,
  'no-provider': (name: string) =>
    `${name} does not answer as an OpenID Connect provider. Sign in with a password, and tell whoever runs this Storesight to check STORESIGHT_OIDC_ISSUER.`,
  'client-refused': (name: string) =>
    `${name} does not accept this Storesight. Sign in with a password, and tell whoever runs it to check STORESIGHT_OIDC_CLIENT_ID and STORESIGHT_OIDC_CLIENT_SECRET.`,
  cancelled: (name: string) =>
    `${name} did not sign you in: you cancelled, or it does not let you in here. Try again, or ask whoever runs this Storesight.`,
  'not-begun': () =>
    'This browser has no sign-in under way, or has finished it. Begin again; if that does not help, allow cookies for this page.',
  expired: () => `The sign-in took longer than ${SIGN_IN_MINUTES} minutes. Begin again.`,
  'another-sign-in': () => 'This is not the sign-in that this browser began last. Begin again.',
  used: () => 'This sign-in was used already, or took too long. Begin again.',
  unproven: (name: string) =>
    `What ${name} said about you could not be confirmed. Begin again; if that does not help, tell whoever runs this Storesight.`,
  'no-email': (name: string) =>
    `${name} does not say what your e-mail address is, so your account was not found. Let it share the address, or ask whoever runs this Storesight.`,
  'unverified-email': (name: string) =>
    `${name} has not confirmed that your e-mail address is yours. Confirm it there and begin again.`,
  'no-account': (name: string) =>
    `No account here has the e-mail address that ${name} knows you by, or another sign-in there has it already. Ask whoever runs this Storesight.`,
} as const;

export type SignInFailure = keyof typeof MESSAGES;

/**
 * A sign-in at the provider that did not work. Its message is for the person, and it holds no token, code or e-mail.
 * TRICKY: it has no `cause`, since the library's errors carry whole responses.
 */
export class SignInError extends Error {
  override readonly name = 'SignInError';
  readonly failure: SignInFailure;
  /** The codes of the errors beneath, for the log. It is empty when there are none. */
  readonly detail: string;

  constructor(failure: SignInFailure, providerName: string, detail: string) {
    super(MESSAGES[failure](providerName));
    this.failure = failure;
    this.detail = detail;
  }
}

/** The failure that an error of openid-client means. */
export function failureOf(error: unknown): SignInFailure {
  if (error instanceof openid.AuthorizationResponseError) return FAILURES.get(error.error) ?? 'unproven';
  if (error instanceof openid.ResponseBodyError) {
    return FAILURES.get(error.error) ?? (error.status >= 500 ? 'unavailable' : 'unproven');
  }
  if (error instanceof openid.WWWAuthenticateChallengeError) {
    // Bearer is how the endpoint of the e-mail refuses a token; any other scheme asks for the client's secret.
    return error.cause.some(({ scheme }) => scheme === 'bearer') ? 'unproven' : 'client-refused';
  }
  return isOutage(error) ? 'unavailable' : 'unproven';
}

/** The failures by the error codes of OAuth 2.0, of either endpoint. */
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
  // A `fetch` without an answer is a bare TypeError; those of the library have a code.
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
 * TRICKY: `instanceof Response` would be false. In a process that serves, @hono/node-server puts a class of its own under
 * that name, and what `fetch` answers is none of it.
 */
function isResponse(value: unknown): value is Response {
  return Object.prototype.toString.call(value) === '[object Response]';
}

/** The error, its cause, and so on while they are errors. */
function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : [];
}
