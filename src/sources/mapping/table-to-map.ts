import { unreadable } from '../../ingest/unreadable.ts';
import type { Session } from '../../store/duckdb-session.ts';
import type { Input } from '../files/inputs.ts';
import { openTable, type SourceInput } from '../recognise.ts';
import {
  type ColumnToMap,
  choicesOf,
  fingerprint,
  KINDS,
  type Kind,
  kindOf,
  type MappingChoices,
  proposedChoices,
  withNames,
} from './chosen-columns.ts';
import { allProposals, lookAtColumns, proposeColumns } from './draft-mapping.ts';
import type { Mapping } from './mapping.ts';
import type { Confidence } from './title-meanings.ts';

/**
 * A table of an upload whose columns a person can choose: all that a page of it needs. Its texts have passed
 * the gate for personal data.
 */
export interface TableToMap {
  readonly file: string;
  /** The same for the same titles. */
  readonly fingerprint: string;
  readonly columns: readonly ColumnToMap[];
  /** Columns behind those, which are not offered. */
  readonly more: number;
  /** What the table seems to be; null where nothing tells it. */
  readonly kind: Kind | null;
  /** What is proposed if it is of a kind, and how sure that is, by the place of each column. */
  readonly proposed: Readonly<Record<Kind, readonly Proposed[]>>;
  /** What the sums of orders tell of prices and discounts; null where they do not. */
  readonly prices?: { readonly are: 'before' | 'after'; readonly why: string } | null;
  /** What somebody chose before. */
  readonly chosen: MappingChoices | null;
}

interface Proposed {
  readonly field: string;
  readonly confidence: Confidence;
  readonly why: string;
}

/** A form with more columns is one that nobody fills in. */
const MOST_COLUMNS = 300;

/**
 * Looks at the beginning of a table, and proposes what its columns are.
 *
 * @param mapping what it is read by, where a person has chosen before
 * @param shown the gate for personal data
 * @throws ImportError, UnansweredError when it cannot be read
 */
export async function tableToMap(
  session: Session,
  input: Input,
  { mapping, encoding, shown }: TableOptions,
): Promise<TableToMap> {
  const { table } = await openTable(session, input, [], encoding);
  return describeTable(session, table, input.name, mapping, shown);
}

interface TableOptions {
  readonly mapping: Mapping | null;
  readonly encoding: string | undefined;
  shown(text: string): string;
}

async function describeTable(
  session: Session,
  table: SourceInput,
  name: string,
  mapping: Mapping | null,
  shown: (text: string) => string,
): Promise<TableToMap> {
  const all = await lookAtColumns(session, table, { shown, most: MOST_COLUMNS }).catch((error: unknown) => {
    throw unreadable(table.file, error);
  });
  const columns = withNames(all.columns, shown);
  const proposals = allProposals(all);
  const proposedIf = (kind: Kind): Proposed[] => {
    const { fields } = proposedChoices(all.columns, proposals, kind);
    return fields.flatMap((field, place) => {
      const found = proposals.find(
        (each) => each.from === all.columns[place] && `${each.table}.${each.column}` === field,
      );
      return [{ field, confidence: found?.confidence ?? 'low', why: found?.why ?? '' }];
    });
  };
  return {
    file: shown(name).slice(0, 200),
    fingerprint: fingerprint(columns),
    columns,
    more: all.more,
    kind: kindOf(proposeColumns(all)),
    proposed: Object.fromEntries(
      KINDS.map((kind) => [kind, proposedIf(kind)]),
    ) as unknown as TableToMap['proposed'],
    prices:
      all.discounts.evidence === null
        ? null
        : { are: all.discounts.evidence.prices, why: all.discounts.evidence.why },
    chosen: mapping === null ? null : choicesOf(mapping, columns),
  };
}
