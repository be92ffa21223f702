import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { App, register } from '../oauth/app.ts';
import { message, post } from '../server/requests.ts';
import { freePort } from '../support/free-port.ts';
import { CookieBrowser } from '../web/cookie-browser.ts';
import { CommandLine, type Run } from './command-line.ts';

/**
 * What the operator does about people and their apps, while one server runs: in order, on one data folder.
 */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const PASSWORD = 'correct horse battery';
const HOSTILE = `\u001b[2J\u001b]0;owned\u0007Evil\r\nrow \u202eapp ${'😀'.repeat(100)}`;
const ADA = ['--account', 'ada@example.com'];

let cli: CommandLine;
let baseUrl: string;
let child: ReturnType<CommandLine['start']>;
let logged: Promise<string>;
const environment: Record<string, string> = { STORESIGHT_LOG_LEVEL: 'trace' };
const browser = new CookieBrowser();
const links: string[] = [];

beforeAll(async () => {
  cli = await CommandLine.openShared();
  const port = await freePort();
  baseUrl = `http://127.0.0.1:${port}`;
  environment.STORESIGHT_PORT = String(port);
  await run(['business', 'create', '--name', 'Shop']);
});

afterAll(async () => {
  child?.kill('SIGKILL');
  await cli[Symbol.asyncDispose]();
});

function run(args: readonly string[], stdin = ''): Promise<Run> {
  return cli.run(args, { env: environment, stdin });
}

async function json(args: readonly string[]): Promise<Record<string, unknown>> {
  const { status, stdout, stderr } = await run([...args, '--json']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return JSON.parse(stdout);
}

/** What it says to a person, and as the one document. */
async function failure(args: readonly string[]): Promise<string> {
  const [plain, documented] = await Promise.all([run(args), run([...args, '--json'])]);
  expect([plain.status, plain.stdout, documented.status]).toEqual([1, '', 1]);
  expect(documented.stderr).toBe(plain.stderr);
  const { error } = JSON.parse(documented.stdout);
  expect(plain.stderr).toBe(`storesight: ${error}\n`);
  return error;
}

async function status(token: unknown): Promise<number> {
  return (await post(`${baseUrl}/mcp`, message('tools/list'), { token: String(token) })).status;
}

describe.sequential('an account', () => {
  it('is made with a link for people', async () => {
    const before = Date.now();
    const { status, stdout, stderr } = await run(['account', 'create', '--email', 'Ada@Example.com']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const [created = '', empty, sentence = '', empty2, link = '', ...rest] = stdout.split('\n');
    expect(created).toMatch(/^Created ada@example\.com: [0-9a-f-]{36}$/);
    expect([empty, empty2, rest]).toEqual(['', '', ['']]);
    const [, ends = ''] =
      /^To set the password, once, before (\S+), while the server runs:$/.exec(sentence) ?? [];
    const week = 7 * 24 * 3_600_000;
    // It is told to the minute, or more precisely.
    expect(Date.parse(ends)).toBeGreaterThan(before + week - 60_000);
    expect(Date.parse(ends)).toBeLessThanOrEqual(Date.now() + week);
    expect(link).toMatch(new RegExp(`^${baseUrl}/password/[\\w-]{43}$`));
    links.push(link);
  });

  it('is made with its id alone for programs, and without a link when it has a password', async () => {
    const document = await json(['account', 'create', '--email', 'program@example.com']);
    expect(document).toEqual({ account_id: expect.stringMatching(UUID) });
    const withPassword = ['account', 'create', '--email', 'bob@example.com', '--password-stdin'];
    const { stdout } = await run(withPassword, `${PASSWORD}\n`);
    expect(stdout).toMatch(/^Created bob@example\.com: [0-9a-f-]{36}\n$/);
  });

  it('is invited anew, in words and as a document', async () => {
    const spoken = (await run(['account', 'invite', ...ADA])).stdout;
    expect(spoken).toMatch(/^To set the password, once, before \S+, while the server runs:\n\nhttp\S+\n$/);
    links.push(spoken.trim().split('\n').at(-1) ?? '');
    const invited = await json(['account', 'invite', ...ADA]);
    expect(invited).toEqual({
      account_id: expect.stringMatching(UUID),
      password_link: expect.stringMatching(new RegExp(`^${baseUrl}/password/[\\w-]{43}$`)),
      expires_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    links.push(String(invited.password_link));
    expect(new Set(links).size).toBe(3);
  });

  it('has the link where people reach the pages, also below a path', async () => {
    const { stdout } = await cli.run(['account', 'invite', '--account', 'program@example.com', '--json'], {
      env: { ...environment, STORESIGHT_AUTH_URL: 'https://signin.example/auth/' },
    });
    expect(JSON.parse(stdout).password_link).toMatch(
      /^https:\/\/signin\.example\/auth\/password\/[\w-]{43}$/,
    );
  });

  it('that does not exist is named', async () => {
    const unknown = ['--account', 'eve@example.com'];
    const said = 'there is no account eve@example.com; `account list` shows them';
    const commands = [
      ['account', 'invite'],
      ['grant', 'list'],
    ];
    expect(await Promise.all(commands.map((command) => failure([...command, ...unknown])))).toEqual([
      said,
      said,
    ]);
  });
});

describe.sequential('the command line at a running server', () => {
  let app: App;
  let tokens: { readonly access_token?: string; readonly refresh_token?: string };
  let grantId: string;

  it('the newest link opens, the others are over, and the password signs in', async () => {
    const { businesses } = await json(['business', 'list']);
    const [{ business_id }] = businesses as [{ business_id: string }];
    await run(['account', 'grant', ...ADA, '--business', business_id, '--all-permissions']);
    child = cli.start(['serve'], environment);
    child.stdin.end();
    logged = text(child.stderr);
    for await (const chunk of child.stdout) if (String(chunk).includes(`${baseUrl}/mcp`)) break;

    const [first = '', second = '', third = ''] = links;
    for (const link of [first, second]) expect((await browser.get(link)).status).toBe(404);
    const page = await browser.get(third);
    expect(page.text).toContain('ada@example.com');
    await browser.submit(page, { new_password: PASSWORD, repeated_password: PASSWORD });
    const other = new CookieBrowser();
    const signIn = await other.get(`${baseUrl}/sign-in`);
    const signedIn = await other.submit(signIn, { email: 'ada@example.com', password: PASSWORD });
    expect((await other.follow(signedIn)).text).toContain('<h1>Stores</h1>');
  });

  it('an app that a person let in is listed, whatever it calls itself', async () => {
    const redirectUri = 'http://127.0.0.1:3333/callback';
    const { body } = await register(baseUrl, { client_name: HOSTILE, redirect_uris: [redirectUri] });
    app = new App(baseUrl, String(body.client_id), redirectUri);
    const authorization = app.authorize();
    const consent = await browser.follow(await browser.get(authorization.url));
    const allowed = await browser.post(consent.url, { decision: 'allow', businesses: 'all' });
    const end = await browser.follow(allowed, (url) => url.origin !== baseUrl);
    tokens = await app.redeem(end.location ?? new URL(baseUrl), authorization);
    expect(await status(tokens.access_token)).toBe(200);

    const { grants } = await json(['grant', 'list']);
    expect(grants).toEqual([
      {
        grant_id: expect.stringMatching(UUID),
        account_id: expect.stringMatching(UUID),
        email: 'ada@example.com',
        client_id: app.client_id,
        client_name: expect.stringContaining('Evil'),
        redirect_host: '127.0.0.1:3333',
        businesses: 'all',
        created_at: expect.any(String),
        last_used_at: expect.any(String),
        expires_at: expect.any(String),
      },
    ]);
    grantId = (grants as { grant_id: string }[])[0]?.grant_id ?? '';
    const [header, row = '', ...more] = (await run(['grant', 'list', ...ADA])).stdout.split('\n');
    expect(header).toMatch(/^grant_id +email +redirect_host +last_used_at +expires_at +app +businesses$/);
    expect(more).toEqual(['']);
    expect(row).toMatch(/Evil.*row/);
    expect(row).toMatch(new RegExp(`^${grantId} +ada@example.com +127\\.0\\.0\\.1:3333 .* all$`));
    // Nothing that moves a cursor, turns the direction or is half a character; and no more than a line.
    expect(row).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\ufffd]/u);
    expect(row.length).toBeLessThan(250);
    expect((await run(['grant', 'list', '--account', 'bob@example.com'])).stdout).toBe(
      'No grant is in force.\n',
    );
  });

  it('a new signing key leaves the tokens as they are', async () => {
    const { stdout } = await run(['key', 'rotate']);
    expect(stdout).toMatch(
      /^Signing with [0-9a-f-]{36}\. Tokens signed before stay valid until they end\.\n$/,
    );
    expect(await status(tokens.access_token)).toBe(200);
    tokens = await app.refresh(tokens.refresh_token);
    expect(await status(tokens.access_token)).toBe(200);
  });

  it('a new signing key that voids the older ones ends them at once; apps renew theirs', async () => {
    const { access_token } = await json(['token', 'create', '--account', 'bob@example.com']);
    expect(await status(access_token)).toBe(200);
    expect(await json(['key', 'rotate', '--revoke-older'])).toEqual({ key_id: expect.stringMatching(UUID) });
    expect([await status(access_token), await status(tokens.access_token)]).toEqual([401, 401]);
    tokens = await app.refresh(tokens.refresh_token);
    expect(await status(tokens.access_token)).toBe(200);
  });

  it('a revoked grant ends at the next call, once', async () => {
    expect((await run(['grant', 'revoke', grantId])).stdout).toBe(`Revoked ${grantId}\n`);
    expect(await status(tokens.access_token)).toBe(401);
    expect(await app.refresh(tokens.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
    const { grants } = await json(['grant', 'list', ...ADA]);
    expect(grants).toEqual([]);
    const ids = [grantId, '11111111-2222-4333-8444-555555555555'];
    expect(await Promise.all(ids.map((id) => failure(['grant', 'revoke', id])))).toEqual(
      ids.map((id) => `there is no grant ${id} in force; \`grant list\` shows those there are`),
    );
  });

  it('a token of the command line is revoked as well, with one document', async () => {
    const { access_token } = await json(['token', 'create', '--account', 'bob@example.com']);
    const { grants } = await json(['grant', 'list', '--account', 'bob@example.com']);
    // The one that a key made void is gone.
    expect(grants).toHaveLength(1);
    const [{ grant_id }] = grants as [{ grant_id: string }];
    expect((await run(['grant', 'list'])).stdout).toContain('command line');
    expect(await status(access_token)).toBe(200);
    expect(await json(['grant', 'revoke', grant_id])).toEqual({ grant_id });
    expect(await status(access_token)).toBe(401);
  });

  it('the log has no links, passwords, tokens or e-mails', async () => {
    child.kill('SIGTERM');
    await once(child, 'close');
    const log = await logged;
    expect(log).toContain('"route":"/password/:link"');
    for (const link of links) expect(log).not.toContain(link.split('/').at(-1));
    expect(log).not.toContain(PASSWORD);
    expect(log).not.toContain(String(tokens.refresh_token));
    expect(log).not.toMatch(/ada@example|eyJ/);
  });
});
