import { SaxesParser } from 'saxes';
import { ReasonError } from '../../errors.ts';
import { unpacked } from '../../ingest/gzip.ts';
import { LONGEST_ROW } from '../../ingest/record-scanner.ts';
import { TooLongError } from '../../ingest/too-long.ts';
import { unreadable } from '../../ingest/unreadable.ts';
import { ImportError } from '../../snapshot/import-errors.ts';
import type { Source } from '../source.ts';
import type { Input } from './inputs.ts';
import { type Writer, writeCopy } from './write-copy.ts';

/** The longest item, in characters. */
const LONGEST_ITEM = LONGEST_ROW.mebibytes * 2 ** 20;

/** Elements within each other. Feeds have five. */
const DEEPEST = 50;

/**
 * What an element holds: its text, or what it has inside, by the names of that in small letters and without
 * namespace.
 */
type Content = string | { [name: string]: Content[] };

interface OpenElement {
  readonly name: string;
  readonly isPrefixed: boolean;
  text: string;
  inside: { [name: string]: Content[] } | null;
}

export function isXml(text: string): boolean {
  return /^\uFEFF?\s*<(\?xml|!--|rss|feed|shop)/i.test(text);
}

/** The encoding that an XML file says it has. */
export function declaredEncoding(text: string): string | undefined {
  return /^\uFEFF?\s*<\?xml[^>]*\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/.exec(text)?.[1];
}

/**
 * A file with a JSON document on each line for each item of an XML file in UTF-8, for the time of the import.
 *
 * @param source whose items they are
 * @throws ImportError when it is not well-formed: a download that was cut off is not
 */
export async function itemsOfXml(
  writer: Writer,
  input: Input,
  { title, items = [] }: Pick<Source, 'title' | 'items'>,
): Promise<Input> {
  try {
    const documents = documentsOf(unpacked(writer, input), new ItemReader(input.name, items));
    return { ...input, path: await writeCopy(writer, '.ndjson', documents) };
  } catch (error) {
    writer.signal?.throwIfAborted();
    if (error instanceof TooLongError) throw error.of(title);
    if (error instanceof ImportError) throw error;
    throw unreadable({ name: input.name, format: 'xml' }, error);
  }
}

async function* documentsOf(chunks: AsyncIterable<Buffer>, reader: ItemReader): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of chunks) yield reader.write(decoder.decode(chunk, { stream: true }));
  yield reader.end(decoder.decode());
}

/** What is wrong there, and what to do, by what the parser says. */
function faultOf(message: string): string {
  if (/undefined entity/.test(message))
    return 'stands an entity that XML does not know, such as &nbsp; of web pages: it knows &amp;, &lt;, &gt;, &quot; and &apos;. Have the feed written with the characters themselves';
  if (/unclosed tag|unexpected end/.test(message))
    return 'it ends in the middle of an element. Was its download cut off? Get it again';
  if (/close tag|closing tag/.test(message))
    return 'it ends an element that is not open there. Is it damaged? Get it again';
  return 'it is not well-formed. Is it damaged? Get it again, or ask whoever makes it';
}

/** Reads items as they come. It keeps one of them at a time. */
class ItemReader {
  /** Entities of a document's own are not known to it, so that none can grow without end. */
  readonly #parser = new SaxesParser();
  readonly #file: string;
  readonly #items: readonly string[];
  readonly #open: OpenElement[] = [];
  #depth = 0;
  #size = 0;
  /** Characters since the parser last told of something: it holds those of a text until that ends. */
  #held = 0;
  #documents = '';

  constructor(file: string, items: readonly string[]) {
    this.#file = file;
    this.#items = items;
    this.#parser.on('error', (error) => {
      throw new ReasonError(`on line ${this.#parser.line} ${faultOf(error.message)}`, { cause: error });
    });
    this.#parser.on('opentag', ({ name, attributes }) => this.#opened(name, attributes));
    this.#parser.on('text', (text) => this.#read(text));
    this.#parser.on('cdata', (text) => this.#read(text));
    this.#parser.on('closetag', () => this.#closed());
  }

  write(text: string): string {
    this.#held += text.length;
    if (this.#held > LONGEST_ITEM) throw this.#tooLong();
    this.#parser.write(text);
    return this.#taken();
  }

  end(text: string): string {
    this.#parser.write(text).close();
    return this.#taken();
  }

  #taken(): string {
    const documents = this.#documents;
    this.#documents = '';
    return documents;
  }

  #opened(qualified: string, attributes: Readonly<Record<string, string>>): void {
    this.#held = 0;
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new ReasonError(`its elements lie deeper than ${DEEPEST} in each other`);
    const name = qualified.replace(/^.*:/, '').toLowerCase();
    if (this.#open.length === 0 && !this.#items.includes(name)) return;
    if (this.#open.length === 0) this.#size = 0;
    // Atom has its links in an attribute.
    const isPrefixed = qualified.includes(':');
    this.#open.push({ name, isPrefixed, text: attributes.href ?? '', inside: null });
    this.#grow(name.length);
  }

  #read(text: string): void {
    const element = this.#open.at(-1);
    if (element === undefined) return;
    this.#grow(text.length);
    element.text += text;
  }

  #grow(by: number): void {
    this.#size += by;
    if (this.#size > LONGEST_ITEM) throw this.#tooLong();
  }

  #tooLong(): TooLongError {
    return new TooLongError({
      file: this.#file,
      line: this.#parser.line,
      what: 'an item',
      bytes: LONGEST_ITEM,
      advice: 'Is an element in it never closed? Get it again',
    });
  }

  #closed(): void {
    this.#held = 0;
    this.#depth -= 1;
    const element = this.#open.pop();
    if (element === undefined) return;
    const parent = this.#open.at(-1);
    if (parent === undefined) {
      this.#documents += `${JSON.stringify(element.inside ?? {})}\n`;
      return;
    }
    parent.inside ??= Object.create(null) as Record<string, Content[]>;
    const siblings = parent.inside[element.name] ?? [];
    const content = element.inside ?? element.text.trim();
    // An entry of Atom has an id of its own, a URI, beside that of the product: `g:id` comes first.
    if (element.isPrefixed && element.name === 'id') siblings.unshift(content);
    else siblings.push(content);
    parent.inside[element.name] = siblings;
  }
}
