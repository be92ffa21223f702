import { writeFile } from 'node:fs/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { chartStore } from '../asking/chart-store.ts';
import { readBusinessId } from '../asking/check-access.ts';
import { type Arguments, atOneSnapshot, runTool, structured } from '../asking/run-tool.ts';
import { CATALOGUE } from '../catalogue.ts';
import { describeCharts } from '../charts/described-chart.ts';
import { drawFile } from '../charts/draw/draw-file.ts';
import { readFigure } from '../charts/read-figure.ts';
import { InputError } from '../errors.ts';
import { ACCOUNT_OPTION, askAs, type CallerOptions, readArguments } from './ask-as-account.ts';
import { command, withInstance } from './command.ts';

interface ChartOptions extends CallerOptions {
  readonly output: string;
  readonly compare?: string;
  readonly width: number;
}

const [NARROWEST, WIDEST] = [280, 4000];

export function addChartCommand(program: Command): void {
  command(program, 'chart <tool>', 'Draw what a tool answers, for a report')
    .argument('<arguments>', 'a JSON object, as for call')
    .requiredOption('-o, --output <file>', 'the SVG file to write')
    .option('--compare <arguments>', 'what differs in the question to draw beside, for example other dates')
    .option('--width <pixels>', `${NARROWEST} to ${WIDEST}`, readWidth, 720)
    .option(...ACCOUNT_OPTION)
    .action(
      withInstance<ChartOptions>(async (context, options, name, json) => {
        const tool = CATALOGUE.find((candidate) => candidate.name === name);
        const described = tool && describeCharts(tool);
        if (tool === undefined || !described) {
          const drawn = CATALOGUE.filter(({ chart }) => chart !== undefined).map((each) => each.name);
          throw new InputError(
            `${tool === undefined ? `there is no tool ${name}` : `${name} has no chart`}; tools with one are ${drawn.join(', ')}`,
          );
        }
        const args = readArguments(String(json));
        await askAs(context, options, async ({ environment: served, caller, stop }) => {
          const environment = atOneSnapshot(served);
          const ask = async (asked: Arguments) =>
            structured(await runTool(environment, tool, asked, caller, stop));
          const answer = await ask(args);
          const other = options.compare === undefined ? null : { ...args, ...readArguments(options.compare) };
          const business_id = readBusinessId(args.business_id);
          const business = (await caller.businesses()).find((each) => each.business_id === business_id);
          const snapshot = await environment.findServed(business_id);
          if (business === undefined || snapshot === null) throw new InputError('the business is gone');
          const figure = readFigure({
            described,
            args,
            answer,
            store: chartStore(business, snapshot.facts),
            ...(other !== null && { compared: { args: other, answer: await ask(other) } }),
          });
          if (figure.panels.length === 0)
            throw new InputError('there is nothing to draw in this answer; `call` shows it');
          const { svg } = drawFile(figure, options.width);
          await writeFile(options.output, `${svg}\n`).catch((error: Error) => {
            throw new InputError(`${options.output} cannot be written: ${error.message}`);
          });
          const drawn = { file: options.output, panels: figure.panels.length };
          context.output.result(drawn, `Drawn to ${options.output}`);
        });
      }),
    );
}

function readWidth(text: string): number {
  const width = Number(text);
  if (Number.isInteger(width) && width >= NARROWEST && width <= WIDEST) return width;
  throw new InvalidArgumentError(`must be a whole number between ${NARROWEST} and ${WIDEST}`);
}
