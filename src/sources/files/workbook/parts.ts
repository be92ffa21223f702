import { ReasonError } from '../../../errors.ts';
import type { Reader } from '../../../ingest/gzip.ts';
import { type Attributes, attribute, elementsOf } from './elements.ts';
import { formatOf, type NumberFormat } from './numbers.ts';

/** A file of those that a workbook is packed of. */
export interface Part {
  readonly path: string;
  /** The name within the workbook. */
  readonly name: string;
}

/** What one workbook may hold of what is kept in memory. A sheet of a spreadsheet has a million rows. */
const LIMITS = {
  sheets: 200,
  texts: 4_000_000,
  characters: 2 ** 26,
  formats: 65_536,
  links: 10_000,
} as const;

const AS_CSV = 'Save its sheet as CSV, and import that';

interface SheetOfWorkbook {
  readonly title: string;
  readonly isHidden: boolean;
  readonly part: Part;
}

export interface Workbook {
  readonly sheets: readonly SheetOfWorkbook[];
  readonly from1904: boolean;
  readonly texts: readonly string[];
  /** The formats by the number of a style. */
  readonly formats: readonly NumberFormat[];
}

/** Reads all of a workbook but its rows. @throws Error when it is damaged, or holds more than is read */
export async function openWorkbook(reader: Reader, parts: readonly Part[]): Promise<Workbook> {
  const named = (name: string) => parts.find((part) => part.name.toLowerCase() === name.toLowerCase());
  const links = new Map<string, string>();
  await read(reader, named('xl/_rels/workbook.xml.rels'), (name, attributes) => {
    const { Id: id, Target: target } = attributes;
    if (name === 'Relationship' && id !== undefined && target !== undefined) links.set(id, target);
    if (links.size > LIMITS.links)
      throw new ReasonError(`it is made of more than ${LIMITS.links} parts. ${AS_CSV}`);
  });
  const declared: { readonly title: string; readonly isHidden: boolean; readonly link: string }[] = [];
  let from1904 = false;
  await read(reader, named('xl/workbook.xml'), (name, attributes) => {
    if (name === 'workbookPr') from1904 = ['1', 'true'].includes(attributes.date1904 ?? '');
    if (name !== 'sheet') return;
    if (declared.length >= LIMITS.sheets)
      throw new ReasonError(
        `it has more than ${LIMITS.sheets} sheets, which is the most that are read. ${AS_CSV}`,
      );
    declared.push({
      title: attributes.name ?? '',
      isHidden: /hidden/i.test(attributes.state ?? ''),
      link: attribute(attributes, 'id') ?? '',
    });
  });
  const sheets = declared.flatMap(({ title, isHidden, link }) => {
    // Sheets of charts and macros stand in other folders.
    const target = links.get(link)?.replace(/^(?:\/xl\/|\.\/)/, '') ?? '';
    const part = target.startsWith('worksheets/') ? named(`xl/${target}`) : undefined;
    return part === undefined ? [] : [{ title, isHidden, part }];
  });
  return {
    sheets,
    from1904,
    texts: await textsOf(reader, named('xl/sharedStrings.xml')),
    formats: await formatsOf(reader, named('xl/styles.xml')),
  };
}

async function read(
  reader: Reader,
  part: Part | undefined,
  opened: (name: string, attributes: Attributes) => void,
): Promise<void> {
  if (part === undefined) return;
  for await (const _ of elementsOf(reader, part, { opened }));
}

/** Texts that cells refer to by their number. */
async function textsOf(reader: Reader, part: Part | undefined): Promise<string[]> {
  const texts: string[] = [];
  if (part === undefined) return texts;
  const text = new CellText();
  let characters = 0;
  const pieces = elementsOf(reader, part, {
    opened: (name) => {
      if (name === 'si') text.begin();
      else text.opened(name);
    },
    text: (piece) => text.read(piece),
    closed: (name) => {
      text.closed(name);
      if (name !== 'si') return;
      const whole = text.take();
      characters += whole.length;
      if (texts.length >= LIMITS.texts || characters > LIMITS.characters)
        throw new ReasonError(
          `it has more texts than are read of a workbook, ${LIMITS.texts} with ${LIMITS.characters / 2 ** 20} million characters. ${AS_CSV}`,
        );
      texts.push(whole);
    },
  });
  for await (const _ of pieces);
  return texts;
}

async function formatsOf(reader: Reader, part: Part | undefined): Promise<NumberFormat[]> {
  const codes = new Map<number, string>();
  const formats: NumberFormat[] = [];
  let isOfCells = false;
  if (part === undefined) return formats;
  const pieces = elementsOf(reader, part, {
    opened: (name, attributes) => {
      if (codes.size > LIMITS.formats || formats.length > LIMITS.formats)
        throw new ReasonError(`it has more than ${LIMITS.formats} formats. ${AS_CSV}`);
      if (name === 'numFmt') codes.set(Number(attributes.numFmtId), attributes.formatCode ?? '');
      if (name === 'cellXfs') isOfCells = true;
      if (name === 'xf' && isOfCells) {
        const id = Number(attributes.numFmtId ?? 0);
        formats.push(formatOf(id, codes.get(id)));
      }
    },
    closed: (name) => {
      if (name === 'cellXfs') isOfCells = false;
    },
  });
  for await (const _ of pieces);
  return formats;
}

/** A text with its runs of other fonts; without what is written beside Japanese to say how it sounds. */
export class CellText {
  #text = '';
  #isText = false;
  #isSound = false;

  begin(): void {
    this.#text = '';
    this.#isText = false;
    this.#isSound = false;
  }

  opened(name: string): void {
    if (name === 't') this.#isText = true;
    if (name === 'rPh') this.#isSound = true;
  }

  read(text: string): void {
    if (this.#isText && !this.#isSound) this.#text += text;
  }

  closed(name: string): void {
    if (name === 't') this.#isText = false;
    if (name === 'rPh') this.#isSound = false;
  }

  /** Characters that XML cannot hold are written as `_x000D_`. */
  take(): string {
    return this.#text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  }
}
