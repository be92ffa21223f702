import { MessageError } from '../messages/message-error.ts';
import { ENGLISH, type Messages } from '../messages/messages.ts';
import { type AskedOverview, readAsked } from '../overview/asked.ts';
import type { Overview } from '../overview/overview.ts';
import { overviewCsv } from '../overview/overview-csv.ts';
import { inTurnOf, type NoNumbers, numbersOr } from './numbers.ts';
import { messagesOf, type PageApp, type PageContext, type Pages } from './page-context.ts';
import { overviewPage } from './pages/overview.ts';
import { type ReadableStore, requireReader } from './store-access.ts';

/** What a store sold, for everybody who may read its numbers. */
export function addOverview(app: PageApp, pages: Pages): void {
  const { paths } = pages;

  app.get(paths.overview(':business_id'), async (context) => {
    const store = await requireReader(pages, context);
    if (store instanceof Response) return store;
    const messages = messagesOf(context);
    const overview = await overviewOf(pages, context, store, messages);
    const page = await inTurnOf(store.account, () => overviewPage({ paths, ...store, overview, messages }));
    return context.html(page, statusOf(overview));
  });

  app.get(paths.overviewCsv(':business_id'), async (context) => {
    const store = await requireReader(pages, context);
    if (store instanceof Response) return store;
    // Whoever reads a spreadsheet with a program finds the same names in every language.
    const overview = await overviewOf(pages, context, store, ENGLISH);
    if ('why' in overview) return context.text(`${overview.why}\n`, statusOf(overview));
    const { from_date, to_date } = overview.days;
    context.header('Content-Type', 'text/csv; charset=utf-8');
    context.header('Content-Disposition', `attachment; filename="overview-${from_date}-${to_date}.csv"`);
    return context.body(await inTurnOf(store.account, () => overviewCsv(overview)));
  });
}

function statusOf(overview: Overview | NoNumbers) {
  return 'why' in overview ? overview.status : 200;
}

async function overviewOf(
  pages: Pages,
  context: PageContext,
  { account, business }: ReadableStore,
  messages: Messages,
): Promise<Overview | NoNumbers> {
  let asked: AskedOverview;
  try {
    asked = readAsked(context.req.query());
  } catch (error) {
    if (!(error instanceof MessageError)) throw error;
    return { why: error.in(messages), status: 400 };
  }
  const ask = (signal: AbortSignal) => pages.overviewOf(account, business, asked, messages, signal);
  return numbersOr(pages, context, account, ask, messages);
}
