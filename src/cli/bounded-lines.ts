import { END_BYTES } from '../mcp/json-extent.ts';

/** This much of the beginning and of the end of a line that is too long is kept, to tell what it was. */
const KEPT_BYTES = END_BYTES;

/** A line without its end; or, of one that is too long, how it begins and how it ends. */
export type Line = { readonly bytes: Buffer } | { readonly head: Buffer; readonly tail: Buffer };

/**
 * Cuts a stream into lines. No more than the two ends of a line beyond the limit are held, however long it
 * is.
 */
export class BoundedLines {
  readonly #mostBytes: number;
  /** The chunks of the line that is coming. They are dropped once it is too long. */
  #chunks: Buffer[] = [];
  #bytes = 0;
  #long: { head: Buffer; tail: Buffer } | null = null;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** @returns the lines that end in it */
  take(chunk: Buffer): Line[] {
    const lines: Line[] = [];
    let from = 0;
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n', from)) {
      this.#add(chunk.subarray(from, end));
      lines.push(this.#end());
      from = end + 1;
    }
    this.#add(chunk.subarray(from));
    return lines;
  }

  #add(part: Buffer): void {
    if (this.#long !== null) {
      this.#long.tail = lastOf(Buffer.concat([this.#long.tail, lastOf(part)]));
      return;
    }
    this.#chunks.push(part);
    this.#bytes += part.length;
    if (this.#bytes <= this.#mostBytes) return;
    const read = Buffer.concat(this.#chunks);
    // Copies: a part of a buffer would hold all of it.
    this.#long = { head: Buffer.from(read.subarray(0, KEPT_BYTES)), tail: lastOf(read) };
    this.#chunks = [];
  }

  #end(): Line {
    const line = this.#long ?? { bytes: Buffer.concat(this.#chunks) };
    [this.#chunks, this.#bytes, this.#long] = [[], 0, null];
    return line;
  }
}

function lastOf(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(Math.max(0, bytes.length - KEPT_BYTES)));
}
