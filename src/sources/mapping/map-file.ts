import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { InputError } from '../../errors.ts';
import { unreadable } from '../../ingest/unreadable.ts';
import { Session } from '../../store/session.ts';
import { findInputs } from '../files/inputs.ts';
import { openTable } from '../recognise.ts';
import { UnreadFiles } from '../unread-files.ts';
import {
  type ColumnLooks,
  draftMapping,
  lookAtColumns,
  type Proposal,
  proposeColumns,
} from './draft-mapping.ts';
import { knownSources } from './known-sources.ts';

interface MappedFile {
  readonly columns: readonly ColumnLooks[];
  /** Which of its columns are which of ours, as the draft has them. */
  readonly proposals: readonly Proposal[];
  /** The draft. */
  readonly mapping: string;
  /** What the file is recognised as without a mapping. */
  readonly known: string | null;
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
    const [input, ...others] = await findInputs(session, [path], unread);
    unread.refuse();
    if (input === undefined || others.length > 0)
      throw new InputError(`${path} holds ${others.length === 0 ? 'no' : 'several'} files; name one`);
    const { known, table } = await openTable(session, input, knownSources([], new Map()), encoding);
    const looked = await lookAtColumns(session, table).catch((error: unknown) => {
      throw unreadable(table.file, error);
    });
    const { columns } = looked;
    const proposals = proposeColumns(looked);
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
      mapping: draftMapping(`our-${name || 'table'}`, basename(path), columns, proposals),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
