import { writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { Temporal } from 'temporal-polyfill';
import { findBusiness } from '../control/businesses.ts';
import { InputError } from '../errors.ts';
import { ENGLISH } from '../messages/messages.ts';
import { readAsked } from '../overview/asked.ts';
import { COMPARISONS, type Comparison } from '../overview/periods.ts';
import { readOverview } from '../overview/read-overview.ts';
import { reportPage } from '../web/pages/report.ts';
import { ACCOUNT_OPTION, askAs, type CallerOptions } from './ask-as-account.ts';
import { command, withInstance } from './command.ts';

interface ReportOptions extends CallerOptions {
  readonly month: string;
  readonly compare: Comparison;
  readonly out?: string;
}

export function addReportCommand(program: Command): void {
  command(program, 'report <business_id>', 'Write what a store sold in a month as one HTML file, to print')
    .requiredOption('--month <month>', 'for example 2026-10')
    .addOption(
      new Option('--compare <what>', 'beside the month before, the same month of the year before, or nothing')
        .choices(COMPARISONS)
        .default('before'),
    )
    .option('--out <file>', 'the file to write (without: report-<month>.html)')
    .option(...ACCOUNT_OPTION)
    .action(
      withInstance<ReportOptions>(async (context, options, id) => {
        const business = await findBusiness(context.instance.control, id);
        const asked = readAsked({ period: 'own', ...daysOfMonth(options.month), compare: options.compare });
        const file = options.out ?? `report-${options.month}.html`;
        await askAs(context, options, async ({ environment, caller }) => {
          const overview = await readOverview(environment, caller, business, asked, ENGLISH);
          if (overview === null) throw new InputError(`no orders of ${business.name} are loaded yet`);
          const page = String(await reportPage(overview, ENGLISH));
          await writeFile(file, page).catch((error: Error) => {
            throw new InputError(`${file} cannot be written: ${error.message}`);
          });
          context.output.result({ file, ...overview.days }, `Written to ${file}`);
        });
      }),
    );
}

function daysOfMonth(month: string): { readonly from: string; readonly to: string } {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
    throw new InputError(`--month must be a month like 2026-10, and is ${month.slice(0, 40)}`);
  const { daysInMonth } = Temporal.PlainYearMonth.from(month);
  return { from: `${month}-01`, to: `${month}-${daysInMonth}` };
}
