import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { hashHandle } from '../control/tokens/instance-secret.ts';
import { Shares } from '../main-thread/shares.ts';

interface Waiting {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** The tokens whose account is remembered, about 2 MB. The account of others is found out anew. */
const MOST_REMEMBERED = 10_000;

/**
 * Decides whose request begins next. Before a caller is known, a page, a token or a webhook takes a
 * millisecond of the main thread, and somebody who opens a hundred connections would begin a hundred of them
 * between two steps of everybody else's. One begins in each turn of the event loop: that of the caller who
 * got least, in measured milliseconds.
 * A share belongs to an account, known by a token that was found good before; else to a network address,
 * apart for requests with a token and without. So an agency whose people share an address has a share for
 * each account.
 */
export class Door {
  readonly #addressOf: (incoming: IncomingMessage) => string;
  readonly #shares = new Shares();
  readonly #waiting = new Map<string, Waiting[]>();
  /** The accounts by the hash of their token. */
  readonly #accounts = new Map<string, string>();
  #isDue = false;

  /** @param addressOf the network address that counts, also behind a proxy */
  constructor(addressOf: (incoming: IncomingMessage) => string) {
    this.#addressOf = addressOf;
  }

  /** The token of a request was found good: the next requests with it have the account's share. */
  recognise(authorization: string | null, account: string): void {
    if (authorization === null) return;
    const token = hashHandle(authorization);
    this.#accounts.delete(token);
    this.#accounts.set(token, account);
    if (this.#accounts.size > MOST_REMEMBERED)
      this.#accounts.delete(this.#accounts.keys().next().value as string);
  }

  /** Hands each request over when it is its turn. */
  inTurns(answer: RequestListener): RequestListener {
    return (incoming, outgoing) => {
      const owner = this.#ownerOf(incoming);
      const waiting = this.#waiting.get(owner) ?? [];
      waiting.push({ incoming, outgoing });
      this.#waiting.set(owner, waiting);
      this.#shares.enter(owner);
      outgoing.once('close', () => this.#shares.leave(owner));
      this.#beginNext(answer);
    };
  }

  #ownerOf(incoming: IncomingMessage): string {
    const { authorization } = incoming.headers;
    const address = this.#addressOf(incoming);
    if (authorization === undefined) return `without a token from ${address}`;
    const account = this.#accounts.get(hashHandle(authorization));
    return account === undefined ? `with a token from ${address}` : `account ${account}`;
  }

  #beginNext(answer: RequestListener): void {
    if (this.#isDue || this.#waiting.size === 0) return;
    this.#isDue = true;
    let owner: string | null = null;
    let began = 0;
    setImmediate(() => {
      began = performance.now();
      owner = this.#next();
      const request = owner === null ? undefined : this.#take(owner);
      if (request !== undefined && !request.outgoing.destroyed) answer(request.incoming, request.outgoing);
    });
    // TRICKY: the next callback of the same phase comes when all is done that the request does before it
    // waits for something.
    setImmediate(() => {
      if (owner !== null) this.#shares.charge(owner, performance.now() - began);
      this.#isDue = false;
      this.#beginNext(answer);
    });
  }

  #next(): string | null {
    let next: string | null = null;
    for (const owner of this.#waiting.keys())
      if (next === null || this.#shares.served(owner) < this.#shares.served(next)) next = owner;
    return next;
  }

  #take(owner: string): Waiting | undefined {
    const waiting = this.#waiting.get(owner);
    const request = waiting?.shift();
    if (waiting?.length === 0) this.#waiting.delete(owner);
    return request;
  }
}
