import { SaxesParser } from 'saxes';
import { ReasonError } from '../../../errors.ts';
import { type Reader, unpacked } from '../../../ingest/gzip.ts';

export type Attributes = Readonly<Record<string, string>>;

/** Who is told of the elements of a part of a workbook, by their names without namespace. */
export interface Listener {
  opened(name: string, attributes: Attributes): void;
  text?(text: string): void;
  closed?(name: string): void;
}

/** The longest text or tag, in characters. Excel's cells have 32,767 at most. */
const LONGEST = 2 ** 20;

/** Elements within each other. Those of sheets are nine. */
const DEEPEST = 50;

/**
 * Tells of the elements of a part of a workbook, and yields after each piece that was read, so that nobody
 * has to keep more of it.
 *
 * @throws Error when it is not well-formed
 */
export async function* elementsOf(
  reader: Reader,
  part: { readonly path: string; readonly name: string },
  listener: Listener,
): AsyncGenerator<void> {
  // Entities of a document's own are not known to it, so that none can grow without end.
  const parser = new SaxesParser();
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const plain = (name: string) => name.replace(/^.*:/, '');
  let held = 0;
  let depth = 0;
  parser.on('error', (error) => {
    throw new ReasonError('it is damaged. Save it anew, or save its sheet as CSV', { cause: error });
  });
  parser.on('opentag', ({ name, attributes }) => {
    held = 0;
    depth += 1;
    if (depth > DEEPEST) throw new ReasonError(`its elements lie deeper than ${DEEPEST} in each other`);
    listener.opened(plain(name), attributes as Attributes);
  });
  parser.on('text', (text) => listener.text?.(text));
  parser.on('cdata', (text) => listener.text?.(text));
  parser.on('closetag', ({ name }) => {
    held = 0;
    depth -= 1;
    listener.closed?.(plain(name));
  });
  for await (const chunk of unpacked(reader, part)) {
    for (let from = 0; from < chunk.length; from += PIECE) {
      const text = decoder.decode(chunk.subarray(from, from + PIECE), { stream: true });
      held += text.length;
      if (held > LONGEST)
        throw new ReasonError('a text in it is longer than a spreadsheet can hold. Save its sheet as CSV');
      parser.write(text);
      yield;
    }
  }
  parser.write(decoder.decode()).close();
  yield;
}

/** The size of a piece in bytes. */
const PIECE = 2 ** 16;

/** The attribute of whatever namespace: `r:id`. */
export function attribute(attributes: Attributes, name: string): string | undefined {
  return attributes[name] ?? Object.entries(attributes).find(([key]) => key.endsWith(`:${name}`))?.[1];
}
