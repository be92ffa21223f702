import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Account } from '../control/people/accounts.ts';
import type { Messages } from '../messages/messages.ts';
import { messagesOf, type Pages } from './page-context.ts';
import { type MessagePage, messagePage } from './pages/message.ts';

/** What happened and what to do, in the language that a browser asks for. */
export type ShownMessage = (messages: Messages) => Omit<MessagePage, 'paths' | 'account' | 'messages'>;

/**
 * Answers with a page that says what happened and what to do.
 *
 * @param account the signed-in account; null: nobody, or not known
 */
export function showMessage(
  { paths }: Pick<Pages, 'paths'>,
  context: Context,
  { status, account = null }: { readonly status: ContentfulStatusCode; readonly account?: Account | null },
  message: ShownMessage,
): Response | Promise<Response> {
  const messages = messagesOf(context);
  return context.html(messagePage({ paths, account, messages, ...message(messages) }), status);
}
