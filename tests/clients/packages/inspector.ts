import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type ClientPackage, calledAsIs } from '../client-package.ts';

/** A program that is started for each call; `--strict` ends with an error where a schema is not portable. */
export const INSPECTOR: ClientPackage = {
  name: '@modelcontextprotocol/inspector',
  version: '2.12.0',
  cannotRefresh: 'it is started anew for each call',
  connect: async ({ url, token, folder }) => {
    const program = join(folder, 'node_modules', '@modelcontextprotocol', 'inspector');
    const run = async (...args: readonly string[]) => {
      const launcher = join(program, 'clients', 'launcher', 'build', 'index.js');
      const header = `Authorization: Bearer ${token}`;
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [launcher, '--cli', url, '--transport', 'http', '--header', header, '--method', ...args],
        // Every warning of `--strict` has several lines.
        { maxBuffer: 20e6, env: { ...process.env, HOME: folder } },
      ).catch((error: { code?: unknown; stdout?: string; stderr?: string }) => {
        // It ends so for a tool that answers with an error, and tells what was answered all the same.
        if (error.stdout?.includes('"isError": true') === true) return { stdout: error.stdout };
        throw new Error(`it ended with ${error.code}: ${error.stderr?.trim().split('\n').at(-1)}`);
      });
      return JSON.parse(stdout);
    };
    return {
      listTools: async () => {
        const { tools } = (await run('tools/list', '--strict')) as { tools: { name: string }[] };
        return tools.map(({ name }) => name);
      },
      callTool: async (name, args) => {
        const pairs = Object.entries(args).map(
          ([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
        );
        const given = pairs.length === 0 ? [] : ['--tool-arg', ...pairs];
        return calledAsIs(await run('tools/call', '--tool-name', name, ...given));
      },
      close: async () => {},
    };
  },
};
