import { open, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { listFolder } from '../../ingest/find-files.ts';
import { ImportError } from '../../snapshot/import-errors.ts';
import type { UnreadFiles } from '../unread-files.ts';
import { inOrderOfCopies } from './copies.ts';
import { isWorkbook, sheetsOf } from './workbook/workbook.ts';
import type { Writer } from './write-copy.ts';
import { type Unpacked, unpackZip } from './zip.ts';

/** A file to import. */
export interface Input {
  readonly path: string;
  /** The name as the report has it: within the folder or archive that was given. */
  readonly name: string;
  readonly writtenAt: Date;
}

/**
 * The files that some paths stand for: files, folders with all below them, archives with what they hold. Of
 * several downloads of one name the later ones come later.
 *
 * @throws ImportError
 */
export async function findInputs(
  writer: Writer,
  paths: readonly string[],
  unread: UnreadFiles,
): Promise<Input[]> {
  const inputs: Input[] = [];
  for (const path of paths) {
    const found = await statOf(path);
    const names = found.isDirectory() ? await listFolder(path) : [''];
    // Files that are named one by one are few, or were landed by a connection.
    if (found.isDirectory()) writer.meter.files(basename(path), names.length);
    // The names of several folders' files must not look alike.
    const prefix = found.isDirectory() && paths.length > 1 ? `${basename(path)}/` : '';
    for (const name of names) {
      const file = name === '' ? path : join(path, name);
      const shown = name === '' ? basename(path) : `${prefix}${name}`;
      inputs.push(...((await unread.attempt(() => inputsOf(writer, file, shown, unread))) ?? []));
    }
  }
  refuseSameNames(inputs);
  return inOrderOfCopies(inputs);
}

async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new ImportError(`there is no file or folder ${path}`);
    if ((error as NodeJS.ErrnoException).code === 'ELOOP')
      throw new ImportError(`${path} is a link that leads back to itself; name the file that is meant`);
    throw error;
  }
}

async function inputsOf(writer: Writer, path: string, name: string, unread: UnreadFiles): Promise<Input[]> {
  const found = await statOf(path);
  if (found.isDirectory()) {
    unread.passOver(`${name} was not read: it is a link to a folder. Import that folder itself`);
    return [];
  }
  // A pipe that nobody writes into would be waited for without end.
  if (!found.isFile())
    throw new ImportError(`${name} is a pipe or a device; write what it gives into a file, and import that`);
  const { mtime, size } = found;
  writer.meter.given(path, size);
  if (!(await isZip(path))) return [{ path, name, writtenAt: mtime }];
  if (OTHER_WORKBOOK.test(name)) throw new ImportError(`${name} ${IS_WORKBOOK}`);
  const files = await unpackZip(writer, path, name);
  const sheets = await sheetsIn(writer, files, name, mtime, unread);
  if (sheets !== null) return sheets;
  const inputs: Input[] = [];
  for (const file of files) {
    const shown = `${name}/${file.name}`;
    const parts =
      XLSX.test(file.name) && (await isZip(file.path)) ? await unpackZip(writer, file.path, shown) : [];
    const inside = await sheetsIn(writer, parts, shown, file.writtenAt, unread);
    inputs.push(...(inside ?? [{ ...file, name: shown }]));
  }
  return inputs;
}

/**
 * The sheets, if an archive is a workbook; else null.
 *
 * @throws ImportError
 */
async function sheetsIn(
  writer: Writer,
  files: readonly Unpacked[],
  name: string,
  writtenAt: Date,
  unread: UnreadFiles,
): Promise<Input[] | null> {
  if (isWorkbook(files)) {
    const sheets = await sheetsOf(writer, files, name, (note) => unread.passOver(note));
    return sheets.map((sheet) => ({ ...sheet, writtenAt }));
  }
  if (XLSX.test(name) || files.some((file) => UNREAD_WORKBOOK.test(file.name)))
    throw new ImportError(`${name} ${IS_WORKBOOK}`);
  return null;
}

const IS_WORKBOOK =
  'is a workbook of a spreadsheet in a format that is not read; save it as .xlsx, or its sheet as CSV, or export it again';

const XLSX = /\.xls[xm]$/i;
const OTHER_WORKBOOK = /\.(?:xlsb|ods|numbers)$/i;

/** What archives hold that are binary workbooks of Excel, or those of Numbers, whatever they are called. */
const UNREAD_WORKBOOK = /^(?:xl\/workbook\.|Index\/Document\.iwa$)/;

async function isZip(path: string): Promise<boolean> {
  await using file = await open(path);
  const { bytesRead, buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
  const start = buffer.toString('latin1');
  // The second one begins an archive without files.
  return bytesRead === 4 && (start === 'PK\u0003\u0004' || start === 'PK\u0005\u0006');
}

function refuseSameNames(inputs: readonly Input[]): void {
  const names = new Set<string>();
  for (const { name } of inputs) {
    if (names.has(name)) throw new ImportError(`two files are called ${name}; give them different names`);
    names.add(name);
  }
}
