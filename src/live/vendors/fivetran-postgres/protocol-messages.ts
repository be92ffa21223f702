/**
 * The messages that a PostgreSQL server may send to a client that signs in and queries, by their shape. The
 * driver reads a text up to its zero byte and, if there is none, looks for it for ever beyond the end of what
 * came. So each message is checked first.
 */

/** The bytes of the kind of a message (one) and of its length (four, which count themselves). */
export const HEAD_BYTES = 5;

/**
 * Walks over the body of a message; where something does not fit into it, it is at its end and not fitting.
 */
class Walk {
  #at = 0;
  fits = true;
  readonly #body: Buffer;

  constructor(body: Buffer) {
    this.#body = body;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#body.length;
  }

  bytes(count: number): void {
    if (count < 0 || count > this.#body.length - this.#at) this.#stop();
    else this.#at += count;
  }

  /** A whole number of some bytes; 0 where it does not fit. */
  int(count: 2 | 4): number {
    const at = this.#at;
    this.bytes(count);
    return this.fits ? this.#body.readIntBE(at, count) : 0;
  }

  /** A text and the zero byte behind it. @returns whether it is empty */
  text(): boolean {
    const end = this.#body.indexOf(0, this.#at);
    const isEmpty = end === this.#at;
    if (end < 0) this.#stop();
    else this.#at = end + 1;
    return isEmpty;
  }

  #stop(): void {
    this.fits = false;
    this.#at = this.#body.length;
  }
}

/** Texts up to an empty one. Those of an error begin with a byte that says what the text is. */
function texts(walk: Walk): void {
  while (walk.fits && !walk.text());
}

const SIGN_IN = { ok: 0, clearPassword: 3, md5: 5, mechanisms: 10, goesOn: 11, ends: 12 } as const;

const SHAPES: Readonly<Record<string, (walk: Walk, body: Buffer) => void>> = {
  R: (walk, body) => {
    switch (walk.int(4)) {
      case SIGN_IN.ok:
      case SIGN_IN.clearPassword:
        return;
      case SIGN_IN.md5:
        return walk.bytes(4);
      case SIGN_IN.mechanisms:
        return texts(walk);
      case SIGN_IN.goesOn:
      case SIGN_IN.ends:
        return walk.bytes(body.length - 4);
      default:
        walk.fits = false;
    }
  },
  S: (walk) => {
    walk.text();
    walk.text();
  },
  K: (walk, body) => walk.bytes(Math.max(8, body.length)),
  Z: (walk) => walk.bytes(1),
  T: (walk) => {
    for (let left = walk.int(2); left > 0 && walk.fits; left -= 1) {
      walk.text();
      walk.bytes(18);
    }
  },
  D: (walk) => {
    for (let left = walk.int(2); left > 0 && walk.fits; left -= 1) {
      const length = walk.int(4);
      if (length !== -1) walk.bytes(length);
    }
  },
  C: (walk) => void walk.text(),
  E: texts,
  N: texts,
  1: () => {},
  2: () => {},
  3: () => {},
  n: () => {},
  s: () => {},
  I: () => {},
};

/** Whether such a message may come at all. */
export function isKind(kind: number): boolean {
  return Object.hasOwn(SHAPES, String.fromCharCode(kind));
}

/** Whether the body of a message is as long as what its kind has in it. */
export function hasShape(kind: number, body: Buffer): boolean {
  const walk = new Walk(body);
  SHAPES[String.fromCharCode(kind)]?.(walk, body);
  return walk.fits && walk.isAtEnd;
}
