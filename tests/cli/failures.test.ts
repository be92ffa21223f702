import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandLine } from './command-line.ts';

const ID = '5f0c2a4e-1111-4222-8333-444455556666';
const NOBODY = '99999999-1111-4222-8333-444455556666';
const ADA = ['--account', 'ada@example.com'];

let cli: CommandLine;

beforeAll(async () => {
  cli = await CommandLine.openShared();
  await cli.json(['business', 'create', '--name', 'Shop', '--id', ID]);
  await cli.json(['account', 'create', '--email', 'ada@example.com']);
});

afterAll(() => cli[Symbol.asyncDispose]());

interface Failure {
  readonly args: readonly string[];
  readonly says: string | RegExp;
  readonly stdin?: string;
  readonly env?: Record<string, string>;
}

const FAILURES: Record<string, Failure> = {
  'an unknown command': { args: ['frobnicate'], says: /unknown command 'frobnicate'/ },
  'an unknown option': { args: ['business', 'list', '--colour'], says: '--colour' },
  'a window that is no hours': {
    args: ['business', 'update', ID, '--click-window', '7d'],
    says: '--click-window must be a whole number of hours between 0 and 2160; 0: never',
  },
  'a missing option': { args: ['business', 'create'], says: '--name' },
  'a missing argument': { args: ['import', ID], says: 'files' },
  'a business without a name': { args: ['business', 'create', '--name', ' '], says: 'name' },
  'a business with a name of two lines': {
    args: ['business', 'create', '--name', 'One\nTwo'],
    says: 'the name of a business must be one line',
  },
  'a bad timezone': {
    args: ['business', 'create', '--name', 'N', '--timezone', 'Prague'],
    says: '--timezone Prague',
  },
  'letters as timezone, which JavaScript takes and in which no date can be read': {
    args: ['business', 'create', '--name', 'N', '--timezone', 'PST'],
    says: '--timezone PST is not an IANA timezone',
  },
  'an offset as timezone': {
    args: ['business', 'create', '--name', 'N', '--timezone', '+01:00'],
    says: '--timezone',
  },
  'a bad currency': {
    args: ['business', 'create', '--name', 'N', '--currency', 'crowns'],
    says: '--currency crowns',
  },
  'a bad link': {
    args: ['business', 'create', '--name', 'N', '--link', 'javascript:alert(1)'],
    says: '--link',
  },
  'a bad id': {
    args: ['business', 'create', '--name', 'N', '--id', '../../etc'],
    says: 'is not a valid UUID',
  },
  'an id that is taken': { args: ['business', 'create', '--name', 'N', '--id', ID], says: 'already' },
  'no e-mail': { args: ['account', 'create', '--email', 'ada'], says: 'ada is not an e-mail address' },
  'an e-mail that is taken': { args: ['account', 'create', '--email', 'ADA@example.com'], says: 'already' },
  'a short password': {
    args: ['account', 'create', '--email', 'c@example.com', '--password-stdin'],
    stdin: 'eleven-char\n',
    says: 'at least 12 characters',
  },
  'no password': {
    args: ['account', 'create', '--email', 'c@example.com', '--password-stdin'],
    says: 'at least 12 characters',
  },
  'an unknown permission': {
    args: ['account', 'grant', ...ADA, '--business', ID, '--permission', 'EVERYTHING'],
    says: /EVERYTHING must be one of DISPLAY_ANALYTICS_DASHBOARD/,
  },
  'no permission': { args: ['account', 'grant', ...ADA, '--business', ID], says: '--all-permissions' },
  'a grant on an unknown business': {
    args: ['account', 'grant', ...ADA, '--business', NOBODY, '--all-permissions'],
    says: `there is no business ${NOBODY}`,
  },
  'a grant to an unknown account': {
    args: ['account', 'grant', '--account', 'eve@example.com', '--business', ID, '--all-permissions'],
    says: 'there is no account eve@example.com',
  },
  'revoking what was not given': {
    args: ['account', 'revoke', ...ADA, '--business', ID],
    says: 'not assigned',
  },
  'a token for an unknown account': {
    args: ['token', 'create', '--account', 'eve@example.com'],
    says: 'no account',
  },
  'a token for an unknown business': {
    args: ['token', 'create', ...ADA, '--businesses', `${ID},${NOBODY}`],
    says: `there is no business ${NOBODY}`,
  },
  'a token for no business': { args: ['token', 'create', ...ADA, '--businesses', ','], says: '--businesses' },
  'a token for no time': { args: ['token', 'create', ...ADA, '--ttl', '0'], says: '--ttl' },
  'a token for words': { args: ['token', 'create', ...ADA, '--ttl', '1h'], says: '--ttl' },
  'an import into an unknown business': {
    args: ['import', NOBODY, '.'],
    says: `there is no business ${NOBODY}`,
  },
  'an import into a business by its name': {
    args: ['import', 'Shop', '.'],
    says: `Shop is the name of a business, not its id: give ${ID}`,
  },
  'an import of a folder that is not there': { args: ['import', ID, 'nowhere'], says: 'nowhere' },
  'an import of an unknown format': { args: ['import', ID, '.', '--format', 'excel'], says: 'canonical' },
  'a bad number of rejects': { args: ['import', ID, '.', '--max-rejects', 'many'], says: '--max-rejects' },
  'too large a share of rejects': {
    args: ['import', ID, '.', '--max-rejects', '101%'],
    says: '--max-rejects',
  },
  'a rollback to an unknown snapshot': {
    args: ['snapshot', 'rollback', ID, '--to', '../../secret'],
    says: '../../secret',
  },
  'an unknown tool': {
    args: ['call', 'order_statistic'],
    says: /no tool order_statistic; tools are list_businesses, /,
  },
  'arguments that are no JSON': { args: ['call', 'list_businesses', 'all'], says: 'JSON object' },
  'arguments that are no object': { args: ['call', 'list_businesses', '[]'], says: 'JSON object' },
  'an argument that does not exist': {
    args: ['call', 'list_businesses', '{"limit":5}'],
    says: 'unknown argument limit',
  },
  'a call of a business that is not there': {
    args: ['call', 'order_statistics', `{"business_id":"${NOBODY}"}`],
    says: 'account is not assigned to this business',
  },
  'a call as an unknown account': {
    args: ['call', 'list_businesses', '{}', '--account', 'eve'],
    says: 'no account',
  },
  'a bad setting': { args: ['business', 'list'], env: { STORESIGHT_PORT: 'http' }, says: 'STORESIGHT_PORT' },
};

describe('fails with one JSON document and a status for', () => {
  it.each(Object.entries(FAILURES))('%s', async (_name, { args, says, stdin = '', env = {} }) => {
    const { status, stdout, stderr } = await cli.run([...args, '--json'], { stdin, env });
    expect(status).toBeGreaterThan(0);
    const document = JSON.parse(stdout);
    expect(document.error).toMatch(says);
    // People see it too, and never where in the code it happened.
    expect(stderr).toMatch(says);
    expect(stderr).not.toMatch(/\n\s+at |node:internal|\.ts:\d/);
  });
});

it('a failure is one of its process', async () => {
  const { status, stdout } = await cli.runAlone(['import', NOBODY, '.', '--json']);
  expect({ status, document: JSON.parse(stdout) }).toEqual({
    status: 1,
    document: { error: `there is no business ${NOBODY}; \`business list\` shows them` },
  });
});

it('a failure without --json leaves stdout empty', async () => {
  const { status, stdout, stderr } = await cli.run(['import', NOBODY, '.']);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr).toBe(`storesight: there is no business ${NOBODY}; \`business list\` shows them\n`);
});

it('a broken data folder is told without a stack trace', async () => {
  const env = { STORESIGHT_DATA: join(cli.folder, 'broken') };
  expect(await cli.run(['business', 'list'], { env })).toMatchObject({ status: 0 });
  writeFileSync(
    join(env.STORESIGHT_DATA, 'control.sqlite'),
    'not a database, but long enough to be looked at'.repeat(50),
  );
  const { status, stdout, stderr } = await cli.run(['business', 'list', '--json'], { env });
  expect(status).toBe(1);
  expect(JSON.parse(stdout).error).toContain('not a database');
  expect(stderr).not.toMatch(/\n\s+at /);
});

it('a reader that leaves early is no failure', async () => {
  const child = cli.start(['business', 'list']);
  child.stdout.destroy();
  const [stderr, status] = await Promise.all([
    text(child.stderr),
    new Promise((resolve) => child.once('close', resolve)),
  ]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

it('asking for help is no failure', async () => {
  const { status, stdout } = await cli.run(['token', 'create', '--help']);
  expect(status).toBe(0);
  expect(stdout).toContain('--ttl');
});
