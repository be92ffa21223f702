import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

it('everything that the Dockerfile copies is sent to the build: .dockerignore lists it', () => {
  const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split('\n');
  const sent = read('.dockerignore').flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));
  const copied = read('Dockerfile')
    .filter((line) => line.startsWith('COPY ') && !line.includes('--from='))
    .flatMap((line) => line.split(' ').slice(1, -1));
  expect(copied).not.toEqual([]);
  expect(copied.filter((path) => !sent.includes(path.replace(/^\.\//, '')))).toEqual([]);
});
