/** What can happen to a send after it. */
export const MESSAGE_EVENT_KINDS = ['open', 'click', 'unsubscribe', 'complaint'] as const;
