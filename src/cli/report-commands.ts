import { writeFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import { Temporal } from 'temporal-polyfill';
import { atOneSnapshot } from '../asking/run-tool.ts';
import { localDay } from '../charts/dates.ts';
import { findBusiness } from '../control/businesses/businesses.ts';
import { InputError } from '../errors.ts';
import { LANGUAGES, type Language, localeOf } from '../messages/languages.ts';
import { ENGLISH, messagesIn } from '../messages/messages.ts';
import { readAsked } from '../overview/asked-overview.ts';
import { readFindings } from '../overview/findings.ts';
import { COMPARISONS, type Comparison } from '../overview/page-periods.ts';
import { type PageRange, readRange } from '../overview/page-range.ts';
import { readOverview } from '../overview/read-overview.ts';
import { reportPage } from '../web/pages/report.ts';
import { ACCOUNT_OPTION, askAs, type CallerOptions } from './ask-as-account.ts';
import { command, withInstance } from './command.ts';

interface ReportOptions extends CallerOptions {
  readonly month: string;
  readonly compare: Comparison;
  readonly language: Language;
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
    .addOption(
      new Option('--language <language>', 'of its texts; what tools tell is English')
        .choices(LANGUAGES)
        .default('en'),
    )
    .option('--out <file>', 'the file to write, which must not exist (without: report-<month>.html)')
    .option(...ACCOUNT_OPTION)
    .action(
      withInstance<ReportOptions>(async (context, options, id) => {
        const business = await findBusiness(context.instance.control, id);
        const { month, compare, language } = options;
        const asked = readAsked({ period: 'own', ...daysOfMonth(month), compare });
        const file = options.out ?? `report-${month}.html`;
        const messages = messagesIn(localeOf(language));
        await askAs(context, options, async ({ environment, caller, stop }) => {
          const none = new InputError(`no orders of ${business.name} are loaded yet`);
          const range = await readRange(atOneSnapshot(environment), business, asked, messages);
          if (range === null) throw none;
          const unfinished = checkMonth(month, range);
          const about = [environment, caller, business, asked, messages, stop] as const;
          const overview = await readOverview(...about);
          if (overview === null) throw none;
          const page = String(await reportPage(overview, await readFindings(...about), messages));
          await write(file, page);
          context.output.result(
            { file, ...overview.days, unfinished },
            [`Written to ${file}`, ...(unfinished === null ? [] : [`Mind: ${unfinished}`])].join('\n'),
          );
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

/**
 * Says what is missing of the month, as the page does; null when all of it is loaded.
 *
 * @throws InputError for a month of which nothing is loaded: its zeros would be read as the store's
 */
function checkMonth(month: string, { store, days }: PageRange): string | null {
  const dayOf = (moment: string | null) => (moment === null ? null : localDay(moment, store));
  const [first, last] = [dayOf(store.history_starts_at), dayOf(store.data_until)];
  const isWithin = (first === null || first <= days.to_date) && (last === null || last >= days.from_date);
  if (!isWithin)
    throw new InputError(
      `no orders of ${month} are loaded: the first one is of ${first ?? 'an unknown day'}, the last one of ${last}; choose a month between them`,
    );
  if (last !== null && last < days.to_date) return ENGLISH.say('overview.data-end', { day: last });
  return first !== null && first > days.from_date ? ENGLISH.say('overview.data-start', { day: first }) : null;
}

/** @throws InputError where there is such a file already, which may be one that somebody wrote notes into */
async function write(file: string, page: string): Promise<void> {
  await writeFile(file, page, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw new InputError(
      error.code === 'EEXIST'
        ? `${file} is there already; name another file by --out, or remove it`
        : `${file} cannot be written: ${error.message}`,
    );
  });
}
