/**
 * As much of a browser as a sign-in needs: cookies, redirects and forms. Cookies belong to an origin, where a
 * real browser shares them between the ports of a host.
 */
export class CookieBrowser {
  readonly #cookies = new Map<string, Map<string, Cookie>>();

  /** One request; redirects are left to `follow`. */
  get(url: string | URL, init: Pick<RequestInit, 'headers' | 'signal'> = {}): Promise<Page> {
    return this.#request(new URL(url), init);
  }

  /** One request with the fields of a form, as a page of `from` sends it. */
  post(
    url: string | URL,
    fields: Readonly<Record<string, string>> | URLSearchParams,
    from = new URL(url).origin,
  ): Promise<Page> {
    return this.#request(new URL(url), {
      method: 'POST',
      headers: { Origin: from },
      body: new URLSearchParams(fields),
    });
  }

  /** The same with files. */
  upload(url: string | URL, form: FormData): Promise<Page> {
    return this.#request(new URL(url), {
      method: 'POST',
      headers: { Origin: new URL(url).origin },
      body: form,
    });
  }

  /**
   * Follows redirects to a page.
   *
   * @param isEnd for a URL that is not to be asked any more: the answer is then the redirect that leads there
   */
  async follow(page: Page, isEnd: (url: URL) => boolean = () => false): Promise<Page> {
    let current = page;
    for (let steps = 0; current.location !== null && !isEnd(current.location); steps += 1) {
      if (steps === 20) throw new Error(`redirects without an end at ${current.url.href}`);
      if (current.status > 303) throw new Error(`a form sent again (${current.status}) is not done here`);
      current = await this.get(current.location);
    }
    return current;
  }

  /** Sends the form of a page, its hidden fields too. `action` picks one by how its address ends. */
  submit(page: Page, fields: Readonly<Record<string, string>> = {}, action = ''): Promise<Page> {
    const form = formsOf(page).find(({ url }) => url.href.endsWith(action));
    if (form === undefined) throw new Error(`no form at ${page.url.href}: ${page.status} ${page.text}`);
    const all = { ...form.fields, ...fields };
    if (form.method === 'post') return this.post(form.url, all, page.url.origin);
    const url = new URL(form.url);
    url.search = new URLSearchParams(all).toString();
    return this.get(url);
  }

  /** The value that a request to this URL would carry. */
  cookie(url: string | URL, name: string): string | undefined {
    return this.#sent(new URL(url)).find((cookie) => cookie.name === name)?.value;
  }

  async #request(url: URL, init: RequestInit): Promise<Page> {
    const headers = new Headers(init.headers);
    const cookies = this.#sent(url).map(({ name, value }) => `${name}=${value}`);
    if (cookies.length > 0) headers.set('Cookie', cookies.join('; '));
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const header of response.headers.getSetCookie()) this.#store(url, header);
    return new Page(url, response.status, response.headers, await response.text());
  }

  /** Those with the longest path first, as browsers do. */
  #sent(url: URL): Cookie[] {
    const cookies = [...(this.#cookies.get(url.origin)?.values() ?? [])];
    return cookies
      .filter(({ path, expires_at }) => isBelow(url.pathname, path) && expires_at > Date.now())
      .toSorted((a, b) => b.path.length - a.path.length);
  }

  #store(url: URL, header: string): void {
    const cookie = readCookie(url, header);
    if (cookie === null) return;
    const cookies = this.#cookies.get(url.origin) ?? new Map<string, Cookie>();
    this.#cookies.set(url.origin, cookies);
    cookies.set(`${cookie.name};${cookie.path}`, cookie);
  }
}

/** What a request brought. */
export class Page {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;

  constructor(url: URL, status: number, headers: Headers, text: string) {
    this.url = url;
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  /** Where a redirect leads; null if the answer is no redirect. */
  get location(): URL | null {
    const location = this.status >= 300 && this.status < 400 ? this.headers.get('Location') : null;
    return location === null ? null : new URL(location, this.url);
  }
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  /** Milliseconds; a cookie that ended before is ignored. */
  readonly expires_at: number;
}

/** Null when a browser would not take it. */
function readCookie(url: URL, header: string): Cookie | null {
  const [pair = '', ...rest] = header.split(';').map((part) => part.trim());
  const [name, value] = splitAt(pair, '=');
  const attributes = new Map(
    rest.map((part) => splitAt(part, '=')).map(([key, text]) => [key.toLowerCase(), text]),
  );
  const isSecure = attributes.has('secure');
  // As browsers do, a connection to this machine counts as a safe one.
  const isSafe = url.protocol === 'https:' || /^(localhost|127\.|\[::1\])/.test(url.hostname);
  const path = attributes.get('path') ?? '';
  if (isSecure && !isSafe) return null;
  if (name.startsWith('__Secure-') && !isSecure) return null;
  if (name.startsWith('__Host-') && (!isSecure || path !== '/' || attributes.has('domain'))) return null;
  return {
    name,
    value,
    path: path.startsWith('/') ? path : url.pathname.replace(/\/[^/]*$/, '') || '/',
    expires_at: endOf(attributes.get('max-age'), attributes.get('expires')),
  };
}

function endOf(maxAge: string | undefined, expires: string | undefined): number {
  if (maxAge !== undefined) return Date.now() + Number(maxAge) * 1000;
  return expires === undefined ? Number.POSITIVE_INFINITY : Date.parse(expires);
}

/** RFC 6265, 5.1.4: `/a` is for `/a` and `/a/b`, not for `/ab`. */
function isBelow(path: string, cookiePath: string): boolean {
  return path === cookiePath || path.startsWith(cookiePath.replace(/\/?$/, '/'));
}

interface Form {
  readonly url: URL;
  readonly method: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** With the values that stand in the page: of hidden and filled inputs, and of what is checked. */
function formsOf(page: Page): Form[] {
  return [...page.text.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gis)].map(([, tag = '', body = '']) => {
    const inputs = [...body.matchAll(/<input\b([^>]*)>/gi)].map(([, input = '']) => readAttributes(input));
    const sent = inputs.filter(
      ({ name, type = 'text', checked }) =>
        name !== undefined && (!/^(checkbox|radio)$/.test(type) || checked !== undefined),
    );
    const { action = '', method = 'get' } = readAttributes(tag);
    return {
      url: new URL(action, page.url),
      method: method.toLowerCase(),
      fields: Object.fromEntries(sent.map(({ name = '', value = '' }) => [name, value])),
    };
  });
}

function readAttributes(tag: string): Partial<Record<string, string>> {
  const attributes = [...tag.matchAll(/([\w-]+)(?:\s*=\s*"([^"]*)")?/g)];
  return Object.fromEntries(
    attributes.map(([, name = '', value = '']) => [name.toLowerCase(), unescapeHtml(value)]),
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
};

function unescapeHtml(text: string): string {
  return text.replaceAll(/&([^;\s]+);/g, (entity, name: string) => ENTITIES[name.toLowerCase()] ?? entity);
}

function splitAt(text: string, separator: string): [string, string] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, ''] : [text.slice(0, index).trim(), text.slice(index + 1).trim()];
}
