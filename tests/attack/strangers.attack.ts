import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createBusiness } from '../../src/control/businesses/businesses.ts';
import { addManager } from '../../src/control/people/managers.ts';
import {
  type Answer,
  endlessly,
  message,
  READY,
  startHostilePostgres,
} from '../live/stubs/hostile-postgres.ts';
import { Person } from '../oauth/person.ts';
import { report } from './report.ts';
import { Target } from './target.ts';

/** Servers that call themselves PostgreSQL, named by a manager in the browser of a real server. */

const MEBIBYTE = 2 ** 20;
const int = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};

const ANSWERS: Readonly<Record<string, Answer>> = {
  'five bytes': (socket) => void socket.write(message('R')),
  'a length below that of itself': (socket) => void socket.write(message('R', '', 0)),
  'a way to sign in that there is not': (socket) => void socket.write(message('R', int(99))),
  'a text that does not end': (socket) => void socket.write(message('E', 'Sfatal')),
  'fewer columns than it says': (socket) =>
    void socket.write(Buffer.concat([READY, message('T', Buffer.from([0x7f, 0xff]))])),
  'another protocol': (socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
  'a message of 2 GB': endlessly(Buffer.alloc(MEBIBYTE), message('D', '', 2_147_483_647)),
  'notices without end': endlessly(message('N', `SNOTICE\0M${'x'.repeat(60_000)}\0\0`)),
  'an end at once': (socket) => socket.destroy(),
};

it('an answer of a stranger to a try ends that try alone', async () => {
  await using target = await Target.open();
  const { instance } = target;
  const { business_id } = await createBusiness(instance.control, { name: 'Shop', currency: 'EUR' });
  const ada = await Person.join(instance.control);
  await addManager(instance.control, ada.account_id, business_id);
  const { child, url } = await target.cli.serve([], { STORESIGHT_VENDORS_ON_LOOPBACK: 'true' });
  const { origin } = new URL(url);
  const worst = { answer_s: 0, healthz_s: 0 };
  const counts = { answers: 0, refused: 0 };
  try {
    await ada.open(`${origin}/stores`);
    for (const answer of Object.values(ANSWERS)) {
      await using server = await startHostilePostgres(answer);
      const startedAt = performance.now();
      const trying = ada.browser.post(`${origin}/stores/${business_id}/sources/new/fivetran-postgres`, {
        secret_connectionString: server.connectionString,
      });
      await setTimeout(500);
      const asked = performance.now();
      expect((await fetch(`${origin}/healthz`)).status).toBe(200);
      worst.healthz_s = Math.max(worst.healthz_s, (performance.now() - asked) / 1000);
      const page = await trying;
      worst.answer_s = Math.max(worst.answer_s, (performance.now() - startedAt) / 1000);
      counts.answers += 1;
      if (page.status === 400) counts.refused += 1;
      expect(page.text).not.toContain('planted-password');
    }
    report('strangers', { counts, worst });
    expect(counts.refused).toBe(counts.answers);
    expect(child.exitCode).toBeNull();
  } finally {
    child.kill('SIGTERM');
  }
});
