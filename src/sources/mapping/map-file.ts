import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { InputError } from '../../errors.ts';
import { unreadable } from '../../ingest/unreadable.ts';
import { Session } from '../../store/duckdb-session.ts';
import { findInputs, type Input } from '../files/inputs.ts';
import { openTable } from '../recognise.ts';
import { UnreadFiles } from '../unread-files.ts';
import {
  type ColumnLooks,
  draftMapping,
  type LookedAt,
  lookAtColumns,
  type Proposal,
  proposeColumns,
} from './draft-mapping.ts';
import { knownSources } from './known-sources.ts';

interface MappedFile {
  readonly columns: readonly ColumnLooks[];
  /** The draft's proposals, which columns of the file are which of ours. */
  readonly proposals: readonly Proposal[];
  /** The draft. */
  readonly mapping: string;
  /** What the file is recognised as without a mapping. */
  readonly known: string | null;
  /** The sheet that was looked at in a workbook of several: the one of which most is known. */
  readonly sheet: string | null;
}

const MOST_SHEETS = 20;

type LookedAtTable = Pick<MappedFile, 'columns' | 'proposals' | 'known'> &
  Pick<LookedAt, 'discounts'> & { readonly name: string };

/** The sheet of a workbook for whose columns most is proposed. Of equal ones it is the first. */
async function bestOf(
  session: Session,
  inputs: readonly Input[],
  encoding: string | undefined,
): Promise<LookedAtTable> {
  let best: LookedAtTable | null = null;
  for (const input of inputs) {
    const { known, table } = await openTable(session, input, knownSources([], new Map()), encoding);
    const looked = await lookAtColumns(session, table).catch((error: unknown) => {
      throw unreadable(table.file, error);
    });
    const proposals = proposeColumns(looked);
    if (best === null || proposals.length > best.proposals.length)
      best = { ...looked, proposals, known, name: input.name };
  }
  if (best === null) throw new Error('there is no table to look at');
  return best;
}

/** Looks at a table of unknown columns and drafts a mapping of it. @throws ImportError, InputError */
export async function mapFile(path: string, encoding: string | undefined): Promise<MappedFile> {
  const folder = await mkdtemp(join(tmpdir(), 'storesight-map-'));
  try {
    const unread = new UnreadFiles(false);
    using session = await Session.open(':memory:', {
      memory: '1GB',
      spillFolder: folder,
      spillLimit: '10GB',
    });
    const inputs = await findInputs(session, [path], unread);
    unread.refuse();
    // A sheet is called `book.xlsx (Orders)`.
    const areSheets = inputs.every(({ name }) => name.startsWith(`${basename(path)} (`));
    if (inputs.length === 0 || (inputs.length > 1 && !areSheets))
      throw new InputError(`${path} holds ${inputs.length === 0 ? 'no' : 'several'} files; name one`);
    if (inputs.length > MOST_SHEETS)
      throw new InputError(
        `${path} has ${inputs.length} sheets, and at most ${MOST_SHEETS} are looked at; save the right one as CSV`,
      );
    const { columns, discounts, known, proposals, name: sheet } = await bestOf(session, inputs, encoding);
    const name = basename(path)
      .toLowerCase()
      .normalize('NFKD')
      .replace(/\.[a-z.]+$/, '')
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^[^a-z]+|-$/g, '')
      .slice(0, 30)
      .replace(/-$/, '');
    return {
      columns,
      known,
      proposals,
      sheet: inputs.length > 1 ? sheet : null,
      mapping: draftMapping(`our-${name || 'table'}`, basename(path), columns, proposals, discounts),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
