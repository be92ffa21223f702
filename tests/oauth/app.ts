import { createHash, randomBytes } from 'node:crypto';

/** What an app got, or why not. */
export interface TokenAnswer {
  readonly status: number;
  readonly access_token?: string;
  readonly refresh_token?: string;
  readonly expires_in?: number;
  readonly scope?: string;
  readonly error?: string;
  readonly error_description?: string;
}

export interface Authorization {
  readonly url: URL;
  readonly verifier: string;
}

/** An app that speaks OAuth by hand, for what official clients would never send. */
export class App {
  readonly issuer: string;
  readonly client_id: string;
  readonly redirect_uri: string;
  /** Empty when it has none. */
  readonly secret: string;

  constructor(issuer: string, client_id: string, redirect_uri: string, secret = '') {
    this.secret = secret;
    this.issuer = issuer;
    this.client_id = client_id;
    this.redirect_uri = redirect_uri;
  }

  static async register(issuer: string, redirect_uri = 'http://127.0.0.1:3333/callback'): Promise<App> {
    const { status, body } = await register(issuer, { client_name: 'An app', redirect_uris: [redirect_uri] });
    if (status !== 201) throw new Error(`registration refused: ${JSON.stringify(body)}`);
    return new App(issuer, String(body.client_id), redirect_uri);
  }

  /** @param changes parameters to set, or with null to leave out */
  authorize(changes: Readonly<Record<string, string | null>> = {}): Authorization {
    const verifier = randomBytes(32).toString('base64url');
    const url = new URL(`${this.issuer}/authorize`);
    const parameters = {
      response_type: 'code',
      client_id: this.client_id,
      redirect_uri: this.redirect_uri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      scope: 'mcp',
      state: 'the state',
      ...changes,
    };
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== null) url.searchParams.set(name, value);
    }
    return { url, verifier };
  }

  /** @param changes as in `authorize` */
  redeem(
    returned: URL,
    { verifier }: Authorization,
    changes: Readonly<Record<string, string | null>> = {},
  ): Promise<TokenAnswer> {
    return this.token({
      grant_type: 'authorization_code',
      code: returned.searchParams.get('code') ?? '',
      redirect_uri: this.redirect_uri,
      code_verifier: verifier,
      ...changes,
    });
  }

  refresh(refresh_token: string | undefined): Promise<TokenAnswer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: refresh_token ?? '' });
  }

  async token(parameters: Readonly<Record<string, string | null>>): Promise<TokenAnswer> {
    const response = await this.post('/token', parameters);
    return { status: response.status, ...((await response.json()) as object) };
  }

  post(path: string, parameters: Readonly<Record<string, string | null>>): Promise<Response> {
    const body = new URLSearchParams({ client_id: this.client_id });
    for (const [name, value] of Object.entries(parameters)) {
      if (value === null) body.delete(name);
      else body.set(name, value);
    }
    return fetch(`${this.issuer}${path}`, { method: 'POST', body });
  }
}

export async function register(
  issuer: string,
  metadata: unknown,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${issuer}/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(metadata),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
