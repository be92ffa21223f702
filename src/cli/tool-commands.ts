import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Command } from 'commander';
import { CATALOGUE } from '../catalogue.ts';
import { findAccount } from '../control/accounts.ts';
import { accountCaller, type Caller, operatorCaller } from '../control/callers.ts';
import { InputError } from '../errors.ts';
import { createMcpServer } from '../mcp/mcp-server.ts';
import { type Arguments, runTool } from '../mcp/run-tool.ts';
import type { Instance } from '../server/instance.ts';
import { createLog } from '../server/log.ts';
import { toolEnvironment } from '../server/tool-environment.ts';
import { openWarehouse } from '../server/warehouse.ts';
import { withInstance } from './command.ts';
import { stopSignal, untilStopped } from './signals.ts';
import { untilUncaught } from './uncaught.ts';

interface CallerOptions {
  readonly json?: true;
  readonly account?: string;
}

const ACCOUNT_OPTION = [
  '--account <account>',
  'as this account (without: everything in the data folder)',
] as const;

export function addToolCommands(program: Command): void {
  program
    .command('call')
    .argument('<tool>')
    .argument('[arguments]', 'a JSON object', '{}')
    .option(...ACCOUNT_OPTION)
    .option('--json', 'print one JSON document')
    .description('Ask a tool from here, for example: call list_businesses')
    .action(
      withInstance<CallerOptions>(async ({ instance, settings, output }, options, name, json) => {
        const tool = CATALOGUE.find((candidate) => candidate.name === name);
        if (tool === undefined) {
          throw new InputError(
            `there is no tool ${name}; tools are ${CATALOGUE.map((each) => each.name).join(', ')}`,
          );
        }
        const args = readArguments(String(json));
        const stop = stopSignal();
        const caller = await chooseCaller(instance, options);
        const warehouse = await openWarehouse(instance, settings);
        try {
          const {
            result,
            notes = [],
            ...beside
          } = await runTool(toolEnvironment(instance, warehouse, { stop }), tool, args, caller, stop);
          const answer = { ...result, ...beside };
          output.result(answer, JSON.stringify(answer, null, 2));
          for (const note of notes) process.stderr.write(`${note}\n`);
        } finally {
          await warehouse.close();
        }
      }),
    );
  program
    .command('stdio')
    .option(...ACCOUNT_OPTION)
    .description('Speak MCP over standard input and output, for a desktop client')
    .action(
      withInstance<CallerOptions>(async ({ instance, settings }, options) => {
        const stop = stopSignal();
        const log = createLog(settings);
        const uncaught = untilUncaught(log);
        const caller = await chooseCaller(instance, options);
        const warehouse = await openWarehouse(instance, settings, log);
        const connection = serveStdio(
          () =>
            createMcpServer(toolEnvironment(instance, warehouse, { stop, beside: log }), caller, log, {
              groups: settings.GROUPS,
            }),
          {
            onerror: (error) => log.debug({ err: error }, 'stdio'),
          },
        );
        await Promise.race([untilStopped(stop, process.stdin), uncaught]);
        await connection.close();
        await warehouse.close();
      }),
    );
}

function readArguments(json: string): Arguments {
  try {
    const args: unknown = JSON.parse(json);
    if (typeof args === 'object' && args !== null && !Array.isArray(args)) return args as Arguments;
  } catch {}
  throw new InputError(`the arguments must be a JSON object, for example '{"business_id": "…"}'`);
}

async function chooseCaller({ control }: Instance, options: CallerOptions): Promise<Caller> {
  if (options.account === undefined) return operatorCaller(control);
  return accountCaller(control, (await findAccount(control, options.account)).account_id);
}
