/**
 * Sent with every page. There is no script, and no external resource is loaded. No `form-action`: browsers
 * apply it to the redirects after a form too, and the consent form ends at the app that asked. No
 * `Cross-Origin-Opener-Policy` either: it cuts off the page of a host that opened the sign-in in a window of
 * its own and waits for its answer.
 *
 * @param origin of the pages
 */
export function securityHeaders(origin: string): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy':
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    // TRICKY: with `no-referrer` browsers send `Origin: null` with forms, and the check of their origin
    // fails.
    'Referrer-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
    ...(origin.startsWith('https:') ? { 'Strict-Transport-Security': 'max-age=31536000' } : {}),
  };
}
