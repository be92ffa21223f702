import { finished } from 'node:stream';
import type { Account } from '../control/people/accounts.ts';
import type { Pieces } from '../main-thread/pieces.ts';
import { mainThread, onePiece } from '../main-thread/turns.ts';
import { ENGLISH, type Messages } from '../messages/messages.ts';
import type { PageContext, Pages } from './page-context.ts';
import { TooManyPagesError } from './page-turns.ts';

/** Why a page has no numbers, and the status that it answers with. */
export interface NoNumbers {
  readonly why: string;
  readonly status: 200 | 400 | 429 | 503;
}

/** A page with numbers asks about thirty tools, and counts as this many messages of its account. */
const MESSAGES_OF_PAGE = 30;

/** The seconds after which a page that could not be made may be tried again. */
const RETRY_SECONDS = 5;

/**
 * The numbers of a page, or why there are none. They are asked for like the account's own calls: within its
 * limit of messages, and in its turn. If that fails, the page is shown all the same, with the reason in place
 * of the numbers.
 *
 * @param messages of the language of that reason
 * @param ask gives null where no orders are loaded
 */
export async function numbersOr<Numbers extends object>(
  pages: Pages,
  context: PageContext,
  { account_id }: Account,
  ask: (signal: AbortSignal) => Promise<Numbers | null>,
  messages: Messages = ENGLISH,
): Promise<Numbers | NoNumbers> {
  const { say } = messages;
  const refused = (status: 429 | 503, why: string, seconds = RETRY_SECONDS): NoNumbers => {
    context.header('Retry-After', String(seconds));
    return { why: say('overview.not-now', { why }), status };
  };
  const seconds = pages.messages.add(account_id, MESSAGES_OF_PAGE);
  if (seconds > 0) return refused(429, say('overview.too-many-requests', { seconds }), seconds);
  const gone = new AbortController();
  finished(context.env.outgoing, () => gone.abort(new Error('the browser did not wait')));
  try {
    const numbers = await pages.turns.run(account_id, gone.signal, () => ask(gone.signal));
    return numbers ?? { why: say('overview.no-orders'), status: 200 };
  } catch (error) {
    if (error instanceof TooManyPagesError) return refused(429, say('overview.pages-wait'));
    if (gone.signal.aborted) return refused(503, say('overview.not-waited'));
    const report = () => say('overview.in-log', { report: pages.reportError(error) });
    return refused(503, pages.refusalOf(error) ?? report());
  }
}

/**
 * Writes a page with numbers when it is the account's turn on the main thread, since its pictures take some
 * milliseconds.
 */
export async function inTurnOf<Written>(
  { account_id }: Account,
  write: () => Written,
): Promise<Awaited<Written>> {
  return await mainThread.run(account_id, onePiece(write));
}

/** The same for a page that takes longer and is written in pieces. */
export async function inPiecesOf<Written>(
  { account_id }: Account,
  pieces: Pieces<Written>,
): Promise<Awaited<Written>> {
  return await mainThread.run(account_id, pieces);
}
