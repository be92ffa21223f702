import { mkdtempSync, readdirSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it, vi } from 'vitest';
import { receiveFiles } from '../../src/uploads/receive-files.ts';

const formOf = () =>
  Object.assign(new PassThrough(), { headers: { 'content-type': 'multipart/form-data; boundary=x' } });
const part = (name: string, content: string) =>
  `--x\r\nContent-Disposition: form-data; name="files"; filename="${name}"\r\nContent-Type: text/csv\r\n\r\n${content}`;

function receive(form: PassThrough, folder: string, full = new AbortController()): Promise<string | null> {
  return receiveFiles(form as unknown as IncomingMessage, {
    folder,
    fileBytes: 1e6,
    full: full.signal,
    shown: (told) => told,
    keep: (written, told) => rename(written, join(folder, told)),
  });
}

/** What a form comes to when the disk fills while its files come. */
it('ends when the disk is nearly full: what was whole stays, nothing half, and it says so', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'receive-files-'));
  const incoming = formOf();
  const full = new AbortController();
  const received = receive(incoming, folder, full);
  incoming.write(`${part('whole.csv', 'a,b\n1,2')}\r\n${part('half.csv', 'a,b\n')}`);
  await expect.poll(() => readdirSync(folder)).toContain('whole.csv');
  full.abort();
  expect(await received).toBe('the disk of this server is full. Files that came before are here');
  expect(readdirSync(folder)).toEqual(['whole.csv']);
});

it('forms that come in the same millisecond keep their files apart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'receive-files-'));
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
  const forms = [formOf(), formOf()];
  const received = forms.map((form) => receive(form, folder));
  for (const [number, form] of forms.entries()) form.write(part(`${number}.csv`, 'a,b'));
  await expect.poll(() => readdirSync(folder)).toHaveLength(2);
  clock.mockRestore();
  for (const form of forms) form.end('\r\n--x--\r\n');
  expect(await Promise.all(received)).toEqual([null, null]);
  expect(readdirSync(folder).sort()).toEqual(['0.csv', '1.csv']);
});
