import { open } from 'node:fs/promises';
import { ReasonError } from '../errors.ts';

/**
 * What the footer of a Parquet file may hold. Exports have some hundred columns, a dozen levels and some
 * thousand groups of rows; DuckDB takes minutes and gigabytes for more, or ends its process: it follows a
 * schema as deep as it is, and its own limit of memory does not count that.
 */
const MOST = { bytes: 64 * 2 ** 20, columns: 10_000, levels: 100, groups: 20_000 } as const;

const MAGIC = 4;

/**
 * Looks at the footer before anything else reads the file. A file that is not Parquet at all is refused
 * later, by its reader.
 *
 * @throws ReasonError where it says that there is more than any export has, Error where it is damaged
 */
export async function checkParquetFooter(path: string): Promise<void> {
  const footer = await readFooter(path);
  if (footer !== null) checkFooter(footer);
}

async function readFooter(path: string): Promise<Buffer | null> {
  await using file = await open(path);
  const { size } = await file.stat();
  const tail = Buffer.alloc(8);
  if (size < tail.length + MAGIC) return null;
  await file.read(tail, 0, tail.length, size - tail.length);
  if (tail.toString('latin1', 4) !== 'PAR1') return null;
  const length = tail.readUInt32LE();
  if (length > size - tail.length - MAGIC) return null;
  if (length > MOST.bytes) throw tooMuch(`its footer has ${length} bytes`, `${MOST.bytes} are read`);
  const footer = Buffer.alloc(length);
  await file.read(footer, 0, length, size - tail.length - length);
  return footer;
}

/** Fields of `FileMetaData` and `SchemaElement` in Parquet's definition. */
const SCHEMA = 2;
const ROW_GROUPS = 4;
const CHILDREN = 5;

function checkFooter(bytes: Buffer): void {
  const thrift = new Thrift(bytes);
  for (const { id, type } of thrift.fields()) {
    if (id === SCHEMA && type === LIST) checkSchema(thrift);
    else if (id === ROW_GROUPS && type === LIST) {
      const { count, type: element } = thrift.list();
      if (count > MOST.groups)
        throw tooMuch(
          `it has ${count} groups of rows`,
          `${MOST.groups} are read. Write it with larger groups`,
        );
      for (let index = 0; index < count; index += 1) thrift.skip(element);
    } else thrift.skip(type);
  }
}

function checkSchema(thrift: Thrift): void {
  const { count, type } = thrift.list();
  if (count > MOST.columns) throw tooMuch(`it has ${count} columns`, `${MOST.columns} are read`);
  /** How many elements are still to come in each level that an element lies in. */
  const left: number[] = [];
  for (let index = 0; index < count; index += 1) {
    while (left.at(-1) === 0) left.pop();
    const siblings = left.pop();
    if (siblings !== undefined) left.push(siblings - 1);
    const children = childrenOf(thrift, type);
    if (children > 0) left.push(children);
    if (left.length > MOST.levels)
      throw tooMuch(`its columns lie more than ${MOST.levels} levels deep`, 'no table has as many');
  }
}

function childrenOf(thrift: Thrift, type: number): number {
  let children = 0;
  if (type !== STRUCT) thrift.skip(type);
  else
    for (const field of thrift.fields()) {
      if (field.id === CHILDREN && field.type === I32) children = thrift.integer();
      else thrift.skip(field.type);
    }
  return children;
}

function tooMuch(what: string, most: string): ReasonError {
  return new ReasonError(`${what}, and ${most}. Leave out what is not needed, or give the table as CSV`);
}

const [TRUE, FALSE, BYTE, DOUBLE, BINARY, LIST, SET, MAP, STRUCT] = [1, 2, 3, 7, 8, 9, 10, 11, 12];
const I32 = 5;
const INTEGERS: ReadonlySet<number> = new Set([4, I32, 6]);

/** Deeper than any struct of a footer. */
const MOST_DEEP = 16;

/** Thrift's compact protocol, as far as what is not needed can be passed over. */
class Thrift {
  readonly #bytes: Buffer;
  #at = 0;
  #depth = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The fields of a struct. The value of each must be read or skipped before the next is asked for. */
  *fields(): Generator<{ readonly id: number; readonly type: number }> {
    for (let id = 0; ; ) {
      const head = this.#byte();
      if (head === 0) return;
      const step = head >> 4;
      id = step === 0 ? this.integer() : id + step;
      yield { id, type: head & 15 };
    }
  }

  list(): { readonly count: number; readonly type: number } {
    const head = this.#byte();
    const short = head >> 4;
    return { count: short === 15 ? this.#varint() : short, type: head & 15 };
  }

  integer(): number {
    const value = this.#varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  skip(type: number): void {
    if (type === TRUE || type === FALSE) return;
    if (type === BYTE) this.#move(1);
    else if (INTEGERS.has(type)) this.#varint();
    else if (type === DOUBLE) this.#move(8);
    else if (type === BINARY) this.#move(this.#varint());
    else this.#skipWithin(type);
  }

  #skipWithin(type: number): void {
    this.#depth += 1;
    if (this.#depth > MOST_DEEP) throw new Error('the footer of a Parquet file is nested too deeply');
    if (type === STRUCT) for (const field of this.fields()) this.skip(field.type);
    else if (type === LIST || type === SET) {
      const { count, type: element } = this.list();
      for (let index = 0; index < count; index += 1) this.#skipElement(element);
    } else if (type === MAP) {
      const count = this.#varint();
      const types = count === 0 ? 0 : this.#byte();
      for (let index = 0; index < count; index += 1) {
        this.#skipElement(types >> 4);
        this.#skipElement(types & 15);
      }
    } else throw new Error(`the footer of a Parquet file has a field of the type ${type}`);
    this.#depth -= 1;
  }

  /** Skips an element. Within a list a truth value has a byte of its own. */
  #skipElement(type: number): void {
    if (type === TRUE || type === FALSE) this.#move(1);
    else this.skip(type);
  }

  #varint(): number {
    let value = 0;
    for (let factor = 1; factor <= 2 ** 63; factor *= 128) {
      const byte = this.#byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
    throw new Error('a number in the footer of a Parquet file does not end');
  }

  #byte(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw cutOff();
    this.#at += 1;
    return byte;
  }

  #move(bytes: number): void {
    this.#at += bytes;
    if (this.#at > this.#bytes.length) throw cutOff();
  }
}

function cutOff(): Error {
  return new Error('the footer of a Parquet file is cut off');
}
