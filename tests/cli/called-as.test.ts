import { join } from 'node:path';
import { expect, it } from 'vitest';
import { calledAs } from '../../src/cli/called-as.ts';
import { startsProgram } from '../../src/cli/connect/connect-command.ts';
import { VERSION } from '../../src/version.ts';

const IN_CACHE = join('/home/ada/.npm', '_npx', '3f2a', 'node_modules', '.bin', 'storesight');
const INSTALLED = join('/usr/lib', 'node_modules', 'storesight', 'bin', 'storesight.js');

it('messages name the command by which the person started the program', () => {
  expect(calledAs(join('/work', 'src', 'cli', 'main.ts'))).toBe('npm run -s storesight --');
  expect(calledAs(IN_CACHE)).toBe('npx storesight');
  expect(calledAs(INSTALLED)).toBe('storesight');
});

it('settings of an app name no path that npm may empty, and bring a Node that is new enough', () => {
  expect(startsProgram(INSTALLED)).toEqual({ command: process.execPath, args: [INSTALLED, 'stdio'] });
  const { command, args } = startsProgram(IN_CACHE);
  expect([command, ...args].join(' ')).toBe(
    `npx --yes --package=node@24 --package=storesight@${VERSION} -- storesight stdio`,
  );
});
