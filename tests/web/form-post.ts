export interface FormPost {
  readonly method?: string;
  /** Those that a browser would not send, or null for none. */
  readonly origin?: string | null;
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestInit['body'];
}

/** One form by hand, for what a browser would never send. Redirects are not followed. */
export function postForm(
  url: string | URL,
  fields: Readonly<Record<string, string>> | URLSearchParams,
  { method = 'POST', origin = new URL(url).origin, cookie, headers = {}, body }: FormPost = {},
): Promise<Response> {
  const all = new Headers(headers);
  if (origin !== null) all.set('Origin', origin);
  if (cookie !== undefined) all.set('Cookie', cookie);
  return fetch(url, {
    method,
    redirect: 'manual',
    headers: all,
    body: body === undefined ? new URLSearchParams(fields) : body,
  });
}

/** The cookie that an answer sets, as the browser would send it back; empty when it sets none or ends it. */
export function cookieOf(response: Response, name: string): string {
  const set = response.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`)) ?? '';
  const [pair = ''] = set.split(';');
  return pair === `${name}=` ? '' : pair;
}
