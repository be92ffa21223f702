import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { CookieBrowser } from './cookie-browser.ts';

export interface OpenidProviderOptions {
  readonly client: {
    readonly client_id: string;
    readonly client_secret: string;
    readonly redirect_uri: string;
  };
  readonly has_email_in_id_token: boolean;
}

/** A running provider. */
export interface OpenidProvider extends AsyncDisposable {
  readonly issuer: string;
  stop(): Promise<void>;
}

const PROCESS = fileURLToPath(new URL('openid-provider-process.ts', import.meta.url));

/** @param port of one that ran before; without, any that is free */
export async function startOpenidProvider(options: OpenidProviderOptions, port = 0): Promise<OpenidProvider> {
  const child = spawn(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    PROCESS,
    JSON.stringify({ ...options, port }),
  ]);
  const closed = once(child, 'close');
  const errors = text(child.stderr);
  const [line] = await Promise.race([once(child.stdout, 'data'), closed.then(() => [''])]);
  if (String(line) === '') throw new Error(`the provider did not start:\n${await errors}`);
  const stop = async () => {
    child.stdin.end();
    await closed;
  };
  return { issuer: String(line).trim(), stop, [Symbol.asyncDispose]: stop };
}

/**
 * Signs in on the provider's pages and allows what is asked.
 *
 * @param url where the app sends the browser
 * @param login see claimsOf in openid-provider-process.ts
 * @returns where the provider sends the browser back to, not asked yet
 */
export async function signInThere(browser: CookieBrowser, url: string, login: string): Promise<URL> {
  const back = new URL(url).searchParams.get('redirect_uri') ?? '';
  const isBack = ({ href }: URL) => href.startsWith(back);
  let page = await browser.follow(await browser.get(url), isBack);
  // One page to sign in, one to allow; neither when the browser did both before.
  for (let pages = 0; page.location === null && pages < 2; pages += 1) {
    const answer = page.text.includes('name="login"') ? { login, password: 'any' } : {};
    page = await browser.follow(await browser.submit(page, answer), isBack);
  }
  if (page.location === null) throw new Error(`stuck at ${page.url.href}: ${page.status} ${page.text}`);
  return page.location;
}
