import { stat } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { App } from '../oauth/app.ts';
import { Person } from '../oauth/person.ts';
import { sendFrom } from './from-address.ts';
import { inTurns } from './in-turns.ts';
import { report } from './report.ts';
import { Target } from './target.ts';

const SCHEMES = [
  'javascript vbscript data file about blob filesystem view-source chrome chrome-extension resource ftp ws wss ldap',
  'jar shell intent android-app market itms itms-apps itms-services itms-appss x-apple-systempreferences tel sms mailto',
  'ms-msdt ms-word ms-excel ms-powerpoint ms-settings ms-officecmd ms-appinstaller ms-search search search-ms ms-help',
  'skype zoommtg slack steam git ssh telnet rdp mms rtsp magnet nodeapp myapp electron cursor vscode windsurf claude',
]
  .join(' ')
  .split(' ');
const FORMS = ['://evil/cb', ':/cb', ':alert(1)', '://localhost/cb'];
const HOSTILE = [
  'http://app.example/cb',
  'http://localhost.evil.example/cb',
  'http://0.0.0.0/cb',
  'http://169.254.169.254/',
  'https://*.app.example/cb',
  'https://user:password@app.example/cb',
  'https://app.example/cb#x',
  'https://app.example\\@evil.example/',
  'https://аpp.example/cb',
  'cursor://anysphere.cursor-deeplink/mcp/install?config=x',
  'vscode://vscode.git/clone?url=https://evil.example/x.git',
  '//app.example/cb',
  ' https://app.example/cb',
];
/** Ways to be sent on before anybody acted. */
const EARLY: Record<string, string | null>[] = [
  { prompt: 'none' },
  { response_type: 'token' },
  { response_type: null },
  { response_mode: 'fragment' },
  { response_mode: 'form_post' },
  { code_challenge: null },
  { code_challenge_method: 'plain' },
  { resource: 'https://evil.example/' },
  { request: 'x.y.z' },
  { request_uri: 'https://evil.example/r' },
  { registration: '{}' },
  { max_age: '-1' },
  { claims: '{' },
  { id_token_hint: 'x' },
];
const NETWORKS = Array.from({ length: 20 }, (_, index) => `127.0.5.${index + 1}`);

it('a code, a token or a browser goes only where a person has sent it', async () => {
  await using target = await Target.open();
  const { control } = target.instance;
  const server = await target.serve();
  const issuer = new URL(server.url).origin;
  const person = await Person.join(control);
  const app = await App.register(issuer);

  const stranger = await App.register(issuer, 'https://stranger.example/cb');
  const early = await inTurns(4, EARLY, (changes) => sendFrom('127.0.6.1', stranger.authorize(changes).url));
  const sentAway = early.filter(({ location }) => location?.includes('stranger.example'));
  expect(sentAway).toEqual([]);

  const codes = await misuseCodes(app, stranger, person);

  const uris = [...HOSTILE, ...SCHEMES.flatMap((scheme) => FORMS.map((form) => `${scheme}${form}`))];
  const taken = await judge(uris);
  expect(taken).toEqual([]);

  const flood = await inTurns(16, Array(400).keys(), (index) =>
    registerFrom(NETWORKS[index % NETWORKS.length] ?? '', issuer, {
      client_name: 'x'.repeat(200),
      redirect_uris: Array.from(
        { length: 6 },
        (_, count) => `https://app.example/${count}${'y'.repeat(500)}`,
      ),
    }),
  );
  const oversize = await registerFrom('127.0.8.1', issuer, {
    redirect_uris: Array.from({ length: 14 }, (_, count) => `https://app.example/${count}${'y'.repeat(500)}`),
  });
  expect([413, 429]).toContain(oversize.status);
  const requests = await inTurns(16, Array(2000).keys(), (index) =>
    sendFrom(NETWORKS[index % NETWORKS.length] ?? '', app.authorize({ state: 'x'.repeat(2000) }).url),
  );
  const clients = await control.selectFrom('oauth_clients').select('metadata_sealed').execute();
  const records = await control.selectFrom('oauth_records').select(['kind', 'payload_sealed']).execute();
  const largestClient = Math.max(...clients.map(({ metadata_sealed }) => metadata_sealed.length));
  expect(clients.length).toBeLessThanOrEqual(1_000 + 1);
  expect(largestClient).toBeLessThan(10_000);
  const open = records.filter(({ kind }) => kind === 'Interaction' || kind === 'Session').length;
  expect(open).toBeLessThanOrEqual(2 * (5_000 + 100));
  expect((await fetch(`${issuer}/healthz`)).status).toBe(200);

  report('oauth', {
    counts: {
      'requests to be sent on before anybody acted': early.length,
      'misuses of codes and tokens': codes,
      'hostile redirect URIs': uris.length,
      'registrations of 20 networks': flood.length,
      'of them taken': flood.filter(({ status }) => status === 201).length,
      'requests for authorization of 20 networks': requests.length,
      'of them taken ': requests.filter(({ status }) => status === 303).length,
    },
    worst: {
      'browsers sent to an app that nobody connected': sentAway.length,
      'hostile redirect URIs taken': taken.length,
      'clients in the control database': clients.length,
      'largest client (bytes)': largestClient,
      'open requests and sessions in it': open,
      'control database (KB)': Math.round((await stat(target.instance.data.control)).size / 1000),
      'memory (MB)': await server.memoryMb(),
    },
  });
});

function registerFrom(address: string, issuer: string, metadata: object) {
  const headers = { 'Content-Type': 'application/json' };
  return sendFrom(address, `${issuer}/register`, { method: 'POST', headers, body: JSON.stringify(metadata) });
}

/** Those of them that are accepted. Each server takes sixty registrations a minute, so it starts several. */
async function judge(uris: readonly string[]): Promise<string[]> {
  const taken: string[] = [];
  for (let from = 0; from < uris.length; from += 50) {
    await using target = await Target.open();
    const server = await target.serve();
    const issuer = new URL(server.url).origin;
    for (const [index, uri] of uris.slice(from, from + 50).entries()) {
      const { status } = await registerFrom(`127.0.7.${1 + index}`, issuer, { redirect_uris: [uri] });
      if (status === 201) taken.push(uri);
      else expect([400, 413]).toContain(status);
    }
  }
  return taken;
}

/**
 * What was handed out once is tried where it must not work. Gives how many were tried; each must be refused.
 */
async function misuseCodes(app: App, thief: App, person: Person): Promise<number> {
  let tried = 0;
  const refused = async (answer: Promise<{ readonly status: number }>) => {
    tried += 1;
    expect((await answer).status).toBeGreaterThanOrEqual(400);
  };
  const allow = async () => {
    const authorization = app.authorize();
    return { authorization, returned: await person.allow(authorization.url) };
  };
  const misuses = [
    { code_verifier: null },
    { code_verifier: '' },
    { code_verifier: 'x'.repeat(43) },
    { code_challenge_method: 'plain', code_verifier: 'THE CHALLENGE' },
    { redirect_uri: 'https://evil.example/' },
    { redirect_uri: null },
    { client_id: thief.client_id },
    { client_id: null },
    { resource: 'https://evil.example/' },
    { code: 'x'.repeat(43) },
  ];
  for (const misuse of misuses) {
    const { authorization, returned } = await allow();
    const challenge = authorization.url.searchParams.get('code_challenge');
    const isDowngrade = misuse.code_verifier === 'THE CHALLENGE';
    await refused(
      app.redeem(returned, authorization, isDowngrade ? { ...misuse, code_verifier: challenge } : misuse),
    );
  }
  const { authorization, returned } = await allow();
  await refused(thief.redeem(returned, authorization));
  const tokens = await app.redeem(returned, authorization);
  expect(tokens.status).toBe(200);
  await refused(app.redeem(returned, authorization));
  await refused(thief.refresh(tokens.refresh_token));
  await refused(app.refresh(tokens.access_token));
  const successor = await app.refresh(tokens.refresh_token);
  await app.refresh(successor.refresh_token);
  // After its successor was used, the first is a replay, and ends the connection.
  await new Promise((resolve) => setTimeout(resolve, 2_100));
  await refused(app.refresh(tokens.refresh_token));
  await refused(app.refresh(successor.refresh_token));
  const consent = new URL(`${app.issuer}/consent/${'x'.repeat(21)}`);
  await refused(person.browser.post(consent, { decision: 'allow', businesses: 'all' }));
  return tried;
}
