import type { IncomingMessage, RequestListener } from 'node:http';

/** All of a request must arrive within this time after its headers, unless its route allows slow ones. */
const ARRIVES_WITHIN_MS = 30_000;

const allowed = new WeakSet<IncomingMessage>();

/** Lets the body of a request come as slowly as its reader bears: an upload of somebody who may upload. */
export function allowSlow(incoming: IncomingMessage): void {
  allowed.add(incoming);
}

/**
 * Ends slow requests. Node's `requestTimeout` does that too, but knows no exception, and would count the time
 * that a request waits for those before it.
 */
export function endSlowRequests(answer: RequestListener): RequestListener {
  return (incoming, outgoing) => {
    const timer = setTimeout(() => {
      if (incoming.complete || allowed.has(incoming)) return;
      const { socket } = incoming;
      if (!outgoing.headersSent && socket.writable)
        socket.write('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
      socket.destroySoon();
    }, ARRIVES_WITHIN_MS).unref();
    incoming.once('close', () => clearTimeout(timer));
    answer(incoming, outgoing);
  };
}
