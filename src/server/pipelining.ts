import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The most requests of one connection that wait beside the one that is being answered. Clients send the next
 * one when they have the answer; some send a few before.
 */
const MOST_WAITING = 64;

interface Waiting {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/**
 * Answers the requests of a connection one after the other. HTTP/1.1 lets a client send many at once, and
 * Node begins all of them: 100 connections with 50 requests each would be 5,000 that are answered at the same
 * time. While requests wait no more are read. What the system gave in one piece is parsed already; when those
 * are too many, the connection is closed.
 */
export function oneAtATime(answer: RequestListener, onTooMany: () => void): RequestListener {
  const lines = new WeakMap<Socket, Waiting[]>();

  const begin = (line: Waiting[], { incoming, outgoing }: Waiting) => {
    const { socket } = incoming;
    outgoing.once('close', () => {
      const next = line.shift();
      if (next === undefined) lines.delete(socket);
      else if (!socket.destroyed) begin(line, next);
      // The last one may have a body that is to come.
      if (line.length === 0) socket.resume();
    });
    answer(incoming, outgoing);
  };

  return (incoming, outgoing) => {
    const { socket } = incoming;
    if (socket.destroyed) return;
    const line = lines.get(socket);
    if (line === undefined) {
      const own: Waiting[] = [];
      lines.set(socket, own);
      begin(own, { incoming, outgoing });
    } else if (line.length < MOST_WAITING) {
      line.push({ incoming, outgoing });
      socket.pause();
    } else {
      line.length = 0;
      onTooMany();
      socket.destroy();
    }
  };
}
