import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openInstance } from '../../src/server/instance.ts';
import { readSettings } from '../../src/server/settings.ts';
import { inTurns } from '../attack/in-turns.ts';
import { CommandLine } from '../cli/command-line.ts';
import { ENGINES, openPlaces, type Places } from '../control/engines.ts';
import { message, post } from '../server/requests.ts';
import { freePort } from '../support/free-port.ts';
import { App } from './app.ts';
import { Person } from './person.ts';

/** Two processes behind one URL, as `serve` starts them. */
let places: Places;

beforeAll(async () => {
  places = await openPlaces();
});

afterAll(() => places[Symbol.asyncDispose]());

describe.each(ENGINES)('parallel refreshes on %s', (engine) => {
  it('200 refreshes of one token at two processes are all served, with tokens of one connection', async () => {
    await using cli = await CommandLine.open();
    const ports = [await freePort(), await freePort()];
    const [first = '', second = ''] = ports.map((port) => `http://127.0.0.1:${port}`);
    const env = {
      ...(engine === 'PostgreSQL' && { STORESIGHT_CONTROL_URL: await places.fresh(engine) }),
      STORESIGHT_BASE_URL: first,
    };
    await using instance = await openInstance(readSettings({ ...cli.environment, ...env }));
    const children: { kill(signal: NodeJS.Signals): boolean }[] = [];
    for (const port of ports) {
      const { child } = await cli.serve(['--port', String(port)], env);
      children.push(child);
    }
    try {
      const person = await Person.join(instance.control);
      const app = await App.register(first);
      const apps = [app, new App(second, app.client_id, app.redirect_uri)];
      const authorization = app.authorize();
      const granted = await app.redeem(await person.allow(authorization.url), authorization);
      expect(granted).toMatchObject({ status: 200 });

      const answers = await inTurns(200, Array(200).keys(), (index) =>
        (apps[index % 2] ?? app).refresh(granted.refresh_token),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      const [successor, ...others] = new Set(answers.map(({ refresh_token }) => refresh_token));
      expect(others).toEqual([]);
      const isTaken = async (token: string | undefined) =>
        (await post(`${first}/mcp`, message('tools/list'), { token })).status === 200;
      const taken = await inTurns(8, answers.values(), ({ access_token }) => isTaken(access_token));
      expect(new Set(taken)).toEqual(new Set([true]));
      const grants = await instance.control.selectFrom('grants').select('revoked_at').execute();
      expect(grants).toEqual([{ revoked_at: null }]);

      const next = await app.refresh(successor);
      expect(next).toMatchObject({ status: 200 });
      // As after the window: the first use was long ago.
      const longAgo = new Date(Date.now() - 31_000).toISOString();
      await instance.control
        .updateTable('oauth_records')
        .set({ consumed_at: longAgo })
        .where('consumed_at', 'is not', null)
        .where('kind', '=', 'RefreshToken')
        .execute();
      expect(await apps[1]?.refresh(granted.refresh_token)).toMatchObject({
        status: 400,
        error: 'invalid_grant',
      });
      expect(await app.refresh(next.refresh_token)).toMatchObject({ status: 400, error: 'invalid_grant' });
      expect(await isTaken(next.access_token)).toBe(false);
    } finally {
      for (const child of children) child.kill('SIGKILL');
    }
  });
});
