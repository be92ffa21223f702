import { crc32, deflateRawSync } from 'node:zlib';

interface Entry {
  readonly name: string;
  readonly content: Buffer | string;
  /** What the archive says of its size, where that is a lie. */
  readonly size?: number;
  readonly flags?: number;
}

/** An archive as a hostile hand may write it. */
export function zipOf(entries: readonly Entry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, size, flags = 0 } of entries) {
    const bytes = Buffer.from(content);
    const packed = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size ?? bytes.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000'), common, place, Buffer.from(name)]),
    );
    locals.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}

/** An archive whose directory names the bytes of one entry many times, under other names. */
export function overlappingZip({ name, content }: Entry, times: number): Buffer {
  const one = zipOf([{ name, content }]);
  const start = one.readUInt32LE(one.length - 22 + 16);
  const local = one.subarray(0, start);
  const entry = one.subarray(start, one.length - 22);
  const entries = Array.from({ length: times }, (_, number) => {
    const named = Buffer.from(entry);
    // As long as before, and another one.
    named.write(String(number).padStart(4, '0'), 46, 'latin1');
    return named;
  });
  const end = Buffer.from(one.subarray(one.length - 22));
  end.writeUInt16LE(times, 8);
  end.writeUInt16LE(times, 10);
  end.writeUInt32LE(times * entry.length, 12);
  return Buffer.concat([local, ...entries, end]);
}
