/** Server-sent events, each named by its type. */
export function sentEvents(events: readonly SentEvent[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

interface SentEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}
