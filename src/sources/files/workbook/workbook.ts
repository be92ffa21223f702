import { ReasonError } from '../../../errors.ts';
import { unreadable } from '../../../ingest/unreadable.ts';
import { visibleLine } from '../../../text/visible-line.ts';
import { type Writer, writeCopy } from '../write-copy.ts';
import { openWorkbook, type Part } from './parts.ts';
import { csvOfSheet } from './sheet.ts';

/** A sheet as CSV. */
export interface Sheet {
  readonly path: string;
  /** The name as the report has it. */
  readonly name: string;
}

/** Whether an archive is a workbook of Excel, whatever it is called. */
export function isWorkbook(parts: readonly { readonly name: string }[]): boolean {
  return parts.some(({ name }) => name.toLowerCase() === 'xl/workbook.xml');
}

/**
 * The sheets of a workbook (.xlsx, .xlsm) that can be seen and have cells, as CSV, for the time of the
 * import. Nothing in it is run, and no formula is computed.
 *
 * @param parts what it is packed of, unpacked
 * @param passOver is told of what is not read
 * @throws ImportError when it is damaged, too large, or has no such sheet
 */
export async function sheetsOf(
  writer: Writer,
  parts: readonly Part[],
  name: string,
  passOver: (note: string) => void,
): Promise<Sheet[]> {
  try {
    const workbook = await openWorkbook(writer, parts);
    const hidden = workbook.sheets
      .filter(({ isHidden }) => isHidden)
      .map(({ title }) => visibleLine(title, 31));
    if (hidden.length > 0)
      passOver(
        `${name} has hidden sheets, which are not read: ${hidden.slice(0, MOST_NAMED).join(', ')}${hidden.length > MOST_NAMED ? ' …' : ''}. Show them where they are meant`,
      );
    const sheets: { readonly path: string; readonly title: string }[] = [];
    for (const { title, isHidden, part } of workbook.sheets) {
      if (isHidden) continue;
      let isEmpty = true;
      const csv = async function* () {
        for await (const rows of csvOfSheet(writer, part, workbook)) {
          isEmpty = false;
          yield rows;
        }
      };
      const path = await writeCopy(writer, '.csv', csv());
      if (!isEmpty) sheets.push({ path, title });
    }
    if (sheets.length === 0)
      throw new ReasonError(
        'it has no sheet with cells that can be seen. Save its sheet as CSV, or export it again',
      );
    const [only, ...others] = sheets;
    if (only !== undefined && others.length === 0) return [{ path: only.path, name }];
    return sheets.map(({ path, title }) => ({ path, name: `${name} (${visibleLine(title, 31)})` }));
  } catch (error) {
    writer.signal?.throwIfAborted();
    throw unreadable({ name, format: 'workbook' }, error);
  }
}

const MOST_NAMED = 3;
