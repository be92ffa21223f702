import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Command } from 'commander';
import { KeptAnswers } from '../asking/kept-answers.ts';
import { runTool, structured } from '../asking/run-tool.ts';
import { readExtensions } from '../business/extensions.ts';
import { CATALOGUE, EXTENSION_TOOLS, extensionOf } from '../catalogue.ts';
import { InputError } from '../errors.ts';
import { createMcpServer } from '../mcp/mcp-server.ts';
import { createLog } from '../server/log.ts';
import { openWarehouse } from '../server/open-warehouse.ts';
import { toolEnvironment } from '../server/tool-environment.ts';
import { visible } from '../text/visible.ts';
import { ACCOUNT_OPTION, askAs, type CallerOptions, chooseCaller, readArguments } from './ask-as-account.ts';
import { command, withInstance } from './command.ts';
import { StdioTransport } from './stdio-transport.ts';
import { stopSignal, untilStopped } from './stop-signals.ts';
import { untilUncaught } from './uncaught-errors.ts';

export function addToolCommands(program: Command): void {
  command(program, 'call <tool>', 'Ask a tool from here, for example: call list_businesses')
    .argument('[arguments]', 'a JSON object', '{}')
    .option(...ACCOUNT_OPTION)
    .action(
      withInstance<CallerOptions>(async (context, options, name, json) => {
        const tools = [...CATALOGUE, ...EXTENSION_TOOLS];
        const tool = tools.find((candidate) => candidate.name === name);
        if (tool === undefined) {
          throw new InputError(
            `there is no tool ${name}; tools are ${tools.map((each) => each.name).join(', ')}`,
          );
        }
        readExtensions(extensionOf(tool), context.settings.EXTENSIONS);
        const args = readArguments(String(json));
        await askAs(context, options, async ({ environment, caller, stop }) => {
          const answer = await runTool(environment, tool, args, caller, stop);
          const data = structured(answer);
          context.output.result(data, JSON.stringify(data, null, 2));
          for (const note of answer.notes ?? []) process.stderr.write(`${visible(note)}\n`);
        });
      }),
    );
  program
    .command('stdio')
    .option(...ACCOUNT_OPTION)
    .option('--extensions <names>', 'tools beside those of the contract: insights, sql')
    .description('Speak MCP over standard input and output, for a desktop client')
    .action(
      withInstance<CallerOptions & { extensions?: string }>(async ({ instance, settings }, options) => {
        const extensions = readExtensions(options.extensions ?? null, settings.EXTENSIONS);
        const stop = stopSignal();
        const log = createLog(settings);
        const uncaught = untilUncaught(log);
        const caller = await chooseCaller(instance, options);
        const warehouse = await openWarehouse(instance, settings, log);
        const kept = new KeptAnswers(settings.KEPT_ANSWERS);
        const transport = new StdioTransport({
          input: process.stdin,
          output: process.stdout,
          maxBytes: settings.MAX_REQUEST_BYTES,
        });
        const connection = serveStdio(
          () =>
            createMcpServer(toolEnvironment(instance, warehouse, { stop, beside: log, kept }), caller, log, {
              groups: settings.GROUPS,
              extensions,
            }),
          { transport, onerror: (error) => log.debug({ err: error }, 'stdio') },
        );
        const broken = await Promise.race([untilStopped(stop), uncaught, transport.closed]);
        await connection.close();
        await warehouse.close();
        if (broken) throw new InputError(`the connection to the client broke: ${broken.message}`);
      }),
    );
}
