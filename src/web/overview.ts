import { drawFile } from '../charts/draw/draw-file.ts';
import { MessageError } from '../messages/message-error.ts';
import { ENGLISH, type Messages } from '../messages/messages.ts';
import { type AskedOverview, readAsked } from '../overview/asked-overview.ts';
import { overviewCsv } from '../overview/overview-csv.ts';
import { pictureOf } from '../overview/pictured.ts';
import { inPiecesOf, inTurnOf, type NoNumbers, numbersOr } from './numbers-in-turn.ts';
import { messagesOf, type PageApp, type PageContext, type Pages } from './page-context.ts';
import { findingsPage } from './pages/findings.ts';
import { overviewPage } from './pages/overview.ts';
import { type ReadableStore, requireReader } from './store-access.ts';

/** What a store sold, for everybody who may read its numbers. */
export function addOverview(app: PageApp, pages: Pages): void {
  const { paths } = pages;

  app.get(paths.overview(':business_id'), async (context) => {
    const store = await requireReader(pages, context);
    if (store instanceof Response) return store;
    const messages = messagesOf(context);
    const overview = await askedOf(pages, context, store, messages, pages.overviewOf);
    const page = await inPiecesOf(store.account, overviewPage({ paths, ...store, overview, messages }));
    return context.html(page, statusOf(overview));
  });

  app.get(paths.findings(':business_id'), async (context) => {
    const store = await requireReader(pages, context);
    if (store instanceof Response) return store;
    const messages = messagesOf(context);
    const findings = await askedOf(pages, context, store, messages, pages.findingsOf);
    const page = await inTurnOf(store.account, () => findingsPage({ paths, ...store, findings, messages }));
    return context.html(page, statusOf(findings));
  });

  app.get(paths.overviewCsv(':business_id'), async (context) => {
    const store = await requireReader(pages, context);
    if (store instanceof Response) return store;
    // The names in a spreadsheet are English for every reader, so that programs find the same ones.
    const overview = await askedOf(pages, context, store, ENGLISH, pages.overviewOf);
    if ('why' in overview) return context.text(`${overview.why}\n`, statusOf(overview));
    const { from_date, to_date } = overview.days;
    context.header('Content-Type', 'text/csv; charset=utf-8');
    context.header('Content-Disposition', `attachment; filename="overview-${from_date}-${to_date}.csv"`);
    return context.body(await inTurnOf(store.account, () => overviewCsv(overview)));
  });
  addPictures(app, pages);
}

/** A card or a list as a file, drawn in the language of the page that leads to it. */
function addPictures(app: PageApp, pages: Pages): void {
  app.get(pages.paths.overviewPicture(':business_id', ':name'), async (context) => {
    const store = await requireReader(pages, context);
    if (store instanceof Response) return store;
    const messages = messagesOf(context);
    const overview = await askedOf(pages, context, store, messages, pages.overviewOf);
    if ('why' in overview) return context.text(`${overview.why}\n`, statusOf(overview));
    const [key = '', type] = (context.req.param('name') ?? '').split('.');
    const figure = type === 'svg' ? pictureOf(overview, key, messages) : null;
    if (figure === null)
      return context.text(`${messages.say('overview.no-picture', { name: key.slice(0, 40) })}\n`, 404);
    const { from_date, to_date } = overview.days;
    context.header('Content-Type', 'image/svg+xml; charset=utf-8');
    context.header('Content-Disposition', `attachment; filename="${key}-${from_date}-${to_date}.svg"`);
    return context.body(await inTurnOf(store.account, () => drawFile(figure, PICTURE_WIDTH).svg));
  });
}

/** The width of a slide. */
const PICTURE_WIDTH = 960;

function statusOf(shown: object | NoNumbers) {
  return 'why' in shown ? shown.status : 200;
}

/** What is asked for the days of the address, or the reason why there is nothing. */
async function askedOf<Shown extends object>(
  pages: Pages,
  context: PageContext,
  { account, business }: ReadableStore,
  messages: Messages,
  ask: (
    ...args: readonly [
      ReadableStore['account'],
      ReadableStore['business'],
      AskedOverview,
      Messages,
      AbortSignal,
    ]
  ) => Promise<Shown | null>,
): Promise<Shown | NoNumbers> {
  let asked: AskedOverview;
  try {
    asked = readAsked(context.req.query());
  } catch (error) {
    if (!(error instanceof MessageError)) throw error;
    return { why: error.in(messages), status: 400 };
  }
  const run = (signal: AbortSignal) => ask(account, business, asked, messages, signal);
  return numbersOr(pages, context, account, run, messages);
}
