import { zipOf } from './zip-archive.ts';

/** XML of a cell; a text becomes a shared one, a number stays one. */
type MadeCell = string | number | { readonly xml: string } | null;

export interface MadeSheet {
  readonly name: string;
  readonly rows: readonly (readonly MadeCell[])[];
  readonly state?: string;
  /** `A1:B1`. */
  readonly merged?: readonly string[];
}

interface Options {
  readonly from1904?: boolean;
  /** Codes of formats; the style of a cell is the number of its code, counted from 1. */
  readonly formats?: readonly string[];
  /** What becomes of the text of a part before it is packed. */
  readonly changed?: (content: string, name: string) => string;
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const LINKS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** A workbook as Excel writes it. */
export function workbookOf(
  sheets: readonly MadeSheet[],
  { from1904 = false, formats = [], changed = (text) => text }: Options = {},
): Buffer {
  const texts: string[] = [];
  const cellOf = (cell: MadeCell, place: string) => {
    if (cell === null) return '';
    if (typeof cell === 'object') return cell.xml.replace('<c', `<c r="${place}"`);
    if (typeof cell === 'number') return `<c r="${place}"><v>${cell}</v></c>`;
    if (!texts.includes(cell)) texts.push(cell);
    return `<c r="${place}" t="s"><v>${texts.indexOf(cell)}</v></c>`;
  };
  const content = sheets.map(
    ({ rows, merged = [] }) =>
      `${HEAD}<worksheet ${MAIN}><sheetData>${rows
        .map(
          (row, index) =>
            `<row r="${index + 1}">${row.map((cell, column) => cellOf(cell, `${nameOf(column)}${index + 1}`)).join('')}</row>`,
        )
        .join(
          '',
        )}</sheetData><mergeCells>${merged.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells></worksheet>`,
  );
  const parts = [
    { name: '[Content_Types].xml', content: `${HEAD}<Types/>` },
    {
      name: 'xl/workbook.xml',
      content: `${HEAD}<workbook ${MAIN} xmlns:r="${LINKS}"><workbookPr${from1904 ? ' date1904="1"' : ''}/><sheets>${sheets
        .map(
          ({ name, state }, index) =>
            `<sheet name="${escaped(name)}" sheetId="${index + 1}"${state === undefined ? '' : ` state="${state}"`} r:id="rId${index + 1}"/>`,
        )
        .join('')}</sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `${HEAD}<Relationships>${sheets
        .map((_, index) => `<Relationship Id="rId${index + 1}" Target="worksheets/sheet${index + 1}.xml"/>`)
        .join('')}</Relationships>`,
    },
    ...content.map((each, index) => ({ name: `xl/worksheets/sheet${index + 1}.xml`, content: each })),
    {
      name: 'xl/sharedStrings.xml',
      content: `${HEAD}<sst ${MAIN}>${texts.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
    },
    {
      name: 'xl/styles.xml',
      content: `${HEAD}<styleSheet ${MAIN}><numFmts>${formats
        .map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${escaped(code)}"/>`)
        .join(
          '',
        )}</numFmts><cellStyleXfs><xf numFmtId="0"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats
        .map(
          (code, index) => `<xf numFmtId="${/^\d+$/.test(code) && Number(code) > 0 ? code : 164 + index}"/>`,
        )
        .join('')}</cellXfs></styleSheet>`,
    },
  ];
  return zipOf(parts.map(({ name, content: text }) => ({ name, content: changed(text, name) })));
}

function nameOf(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : `${nameOf(Math.floor(column / 26) - 1)}${last}`;
}
