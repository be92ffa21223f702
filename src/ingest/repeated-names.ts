import { ReasonError } from '../errors.ts';

/** An object with more names than this is no thing of a shop, and each is remembered until it ends. */
const MOST_NAMES = 100_000;

/** Deeper than anything that is read of a document. */
const DEEPEST = 500;

/** This many characters of a name are told. */
const LONGEST_TOLD = 60;

/**
 * Finds objects in JSON text in which a name stands twice with different values, in one pass over its bytes:
 * `{"total": 10, "total": 99}`. Readers differ in which of the two they take, and either may be the wrong
 * number. `{"tax": [], "tax": []}` does no harm.
 *
 * What is no JSON is told by others: here it only ends the object.
 */
export class RepeatedNames {
  readonly #isOneALine: boolean;
  #line = 1;
  #open: Open[] = [];
  /** How many are open below the deepest that are looked at. */
  #deeper = 0;
  /** Maps that are empty, to be used again. */
  readonly #spare: Map<number, number>[] = [];
  /** The hash of the value that is read, in the innermost object or list that is looked at. */
  #value = FIRST_HASH;
  #isName = false;
  #state: State = OUTSIDE;
  /**
   * Two hashes of the name that is read: together 53 bits. Whoever makes two names alike is refused, and
   * nobody else.
   */
  #hash = FIRST_HASH;
  #other = OTHER_HASH;
  readonly #told = Buffer.alloc(LONGEST_TOLD);
  #length = 0;
  /** The digits so far of an escape such as `\u0061`. */
  #escaped = '';

  /** @param isOneALine whether each line is a document by itself */
  constructor(isOneALine: boolean) {
    this.#isOneALine = isOneALine;
  }

  /** @throws ReasonError with the line and the name */
  write(chunk: Uint8Array): void {
    let state = this.#state;
    for (let i = 0; i < chunk.length; i += 1) {
      const byte = chunk[i] as number;
      if (state === OUTSIDE) {
        if (byte === QUOTE) {
          state = this.#isName ? NAME : TEXT;
          if (state === NAME) this.#begin();
          else this.#mix(byte);
        } else if (byte > 0x2c) {
          if (byte === 0x7b) this.#enter(this.#spare.pop() ?? new Map());
          else if (byte === 0x5b) this.#enter(null);
          else if (byte === 0x7d || byte === 0x5d) this.#leave();
          else this.#mix(byte);
        } else if (byte === COMMA) this.#endElement();
        else if (byte === LINE_FEED) this.#endLine();
      } else if (state === TEXT) {
        this.#mix(byte);
        if (byte === BACKSLASH) state = TEXT_ESCAPE;
        else if (byte === QUOTE) state = OUTSIDE;
        else if (byte === LINE_FEED) state = this.#endLine();
      } else if (state === TEXT_ESCAPE) {
        this.#mix(byte);
        state = TEXT;
      } else if (state === NAME) {
        if (byte === QUOTE) {
          this.#end();
          state = OUTSIDE;
        } else if (byte === BACKSLASH) state = NAME_ESCAPE;
        else if (byte === LINE_FEED) state = this.#endLine();
        else this.#add(byte);
      } else state = this.#unescape(state, byte);
    }
    this.#state = state;
  }

  #begin(): void {
    this.#hash = FIRST_HASH;
    this.#other = OTHER_HASH;
    this.#length = 0;
    this.#isName = false;
  }

  #add(byte: number): void {
    this.#hash = Math.imul(this.#hash ^ byte, 0x01000193);
    this.#other = Math.imul(this.#other + byte, 0x9e3779b1) ^ (this.#other >>> 13);
    if (this.#length < LONGEST_TOLD) this.#told[this.#length] = byte;
    this.#length += 1;
  }

  /** A name ends, and its value begins. */
  #end(): void {
    const open = this.#open.at(-1);
    if (open === undefined || open.names === null) return;
    open.name = (this.#hash >>> 0) * 2 ** 21 + (this.#other >>> 11);
    open.line = this.#line;
    open.repeated = open.names.has(open.name)
      ? this.#told.toString('utf8', 0, Math.min(this.#length, LONGEST_TOLD))
      : null;
    this.#value = FIRST_HASH;
  }

  #mix(byte: number): void {
    this.#value = Math.imul(this.#value ^ byte, 0x01000193);
  }

  #endElement(): void {
    const open = this.#open.at(-1);
    if (this.#deeper > 0 || open === undefined || open.names === null) {
      this.#mix(COMMA);
      this.#isName = false;
      return;
    }
    this.#endValue(open, open.names);
    this.#isName = true;
  }

  #endValue(open: Open, names: Map<number, number>): void {
    if (open.name === null) return;
    if (open.repeated !== null && names.get(open.name) !== this.#value)
      throw new ReasonError(
        `on line ${open.line} the name "${open.repeated}" stands twice in an object with different values, and which of the two is meant cannot be told. Export it again, with each name once`,
      );
    names.set(open.name, this.#value);
    if (names.size > MOST_NAMES)
      throw new ReasonError(
        `on line ${this.#line} stands an object with more than ${MOST_NAMES} names, which is no thing of a shop. Export it again as a list`,
      );
    open.whole = Math.imul(open.whole ^ this.#value ^ open.name, 0x01000193);
    open.name = null;
  }

  #enter(names: Map<number, number> | null): void {
    const isTooDeep = this.#open.length === DEEPEST;
    if (isTooDeep) {
      this.#deeper += 1;
      this.#mix(names === null ? 0x5b : 0x7b);
    } else {
      this.#open.push({ names, name: null, repeated: null, line: 0, whole: FIRST_HASH, outer: this.#value });
      this.#value = names === null ? OTHER_HASH : FIRST_HASH;
    }
    this.#isName = !isTooDeep && names !== null;
  }

  #leave(): void {
    this.#isName = false;
    if (this.#deeper > 0) {
      this.#deeper -= 1;
      this.#mix(0x7d);
      return;
    }
    const open = this.#open.pop();
    if (open === undefined) return;
    const { names } = open;
    if (names !== null) {
      this.#endValue(open, names);
      if (names.size < 1000) {
        names.clear();
        this.#spare.push(names);
      }
    }
    this.#value = Math.imul(open.outer ^ (names === null ? this.#value : open.whole), 0x01000193);
  }

  /** No text has a line break in it: it was left open. */
  #endLine(): State {
    this.#line += 1;
    if (this.#isOneALine) {
      this.#open = [];
      this.#deeper = 0;
      this.#isName = false;
    }
    return OUTSIDE;
  }

  /** A name may be written in several ways: `total` is `tot\u0061l`. */
  #unescape(state: State, byte: number): State {
    if (state === NAME_ESCAPE) {
      if (byte === LETTER_U) {
        this.#escaped = '';
        return NAME_CODE;
      }
      this.#add(ESCAPES[String.fromCharCode(byte)] ?? byte);
      return NAME;
    }
    this.#escaped += String.fromCharCode(byte);
    if (this.#escaped.length < 4) return NAME_CODE;
    for (const each of Buffer.from(String.fromCharCode(Number.parseInt(this.#escaped, 16)))) this.#add(each);
    return NAME;
  }
}

/** An object or a list that is open. Names and values are known by their hashes. */
interface Open {
  /** The values of its names so far; null for a list. */
  readonly names: Map<number, number> | null;
  /** The name whose value is read, and the line that it stands on. */
  name: number | null;
  line: number;
  /** That name as it is written, when it stood before. */
  repeated: string | null;
  /** The hash of all its names and values. */
  whole: number;
  /** The hash of the value around it, up to here. */
  readonly outer: number;
}

const OUTSIDE = 0;
const TEXT = 1;
const TEXT_ESCAPE = 2;
const NAME = 3;
const NAME_ESCAPE = 4;
const NAME_CODE = 5;

type State = number;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const LINE_FEED = 0x0a;
const LETTER_U = 0x75;

/** What stands behind a backslash, where it is not itself. */
const ESCAPES: Readonly<Record<string, number>> = { b: 8, f: 12, n: 10, r: 13, t: 9 };

const FIRST_HASH = 0x811c9dc5 | 0;
const OTHER_HASH = 0x2545f491 | 0;
