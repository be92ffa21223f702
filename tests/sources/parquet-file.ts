/** Footers of Parquet files, written by hand: no writer makes those of somebody who means harm. */

const [I32, I64, BINARY, LIST, STRUCT] = [5, 6, 8, 9, 12];

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}

const zigzag = (value: number) => varint(value < 0 ? -2 * value - 1 : 2 * value);

type Field = readonly [id: number, type: number, value: Buffer];

/** Thrift's compact protocol: each field with the difference to the number of the one before. */
function struct(fields: readonly Field[]): Buffer {
  let before = 0;
  const written = fields.map(([id, type, value]) => {
    const head = Buffer.from([((id - before) << 4) | type]);
    before = id;
    return Buffer.concat([head, value]);
  });
  return Buffer.concat([...written, Buffer.from([0])]);
}

const list = (structs: readonly Buffer[]) =>
  Buffer.concat([Buffer.from([0xf0 | STRUCT]), varint(structs.length), ...structs]);

const text = (value: string) => Buffer.concat([varint(Buffer.byteLength(value)), Buffer.from(value)]);

/** A part of a schema: a text, or a group of the next `children` parts. */
export function element(name: string, children?: number): Buffer {
  return children === undefined
    ? struct([
        [1, I32, zigzag(6)],
        [3, I32, zigzag(1)],
        [4, BINARY, text(name)],
      ])
    : struct([
        [4, BINARY, text(name)],
        [5, I32, zigzag(children)],
      ]);
}

/** A file without rows, with this schema and this number of groups. */
export function parquetOf(schema: readonly Buffer[], groups = 0): Buffer {
  const group = struct([
    [1, LIST, list([])],
    [2, I64, zigzag(0)],
    [3, I64, zigzag(0)],
  ]);
  const footer = struct([
    [1, I32, zigzag(1)],
    [2, LIST, list(schema)],
    [3, I64, zigzag(0)],
    [4, LIST, list(Array.from({ length: groups }, () => group))],
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([Buffer.from('PAR1'), footer, length, Buffer.from('PAR1')]);
}
