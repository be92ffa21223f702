import { onlyRow } from '../../../../answers/fields/query.ts';
import { type Plan, plan } from '../../../../answers/tool.ts';
import type { SnapshotFacts } from '../../../../business/snapshot-facts.ts';
import type { Noise } from '../../../../statistics/noise.ts';
import type { SegmentQuery } from '../../../segments/definitions/parse.ts';
import { queryReferences } from '../../../segments/definitions/references.ts';
import { readAskedQuery } from '../../../segments/queries/asked-query.ts';
import { knownDataNotes } from '../../../segments/queries/known-data.ts';
import { knownTraits, unknownTraitNotes } from '../../../segments/queries/known-traits.ts';
import { readableQuery } from '../../../segments/queries/readable-query.ts';
import { referenceNames, unknownReferenceNotes } from '../../../segments/queries/reference-names.ts';
import {
  addSegments,
  type SavedSegments,
  storedQueries,
  unknownSegments,
} from '../../../segments/queries/saved-segments.ts';
import { namesOf } from '../../../segments/queries/shown-query.ts';
import { type Direction, type MeasuredDays, measuredDays } from './measured-days.ts';
import {
  countsOfParts,
  measuredParts,
  measuresOf,
  ordersOfStore,
  type StoreRow,
  SUM_NAMES,
  type SumName,
  scaleOf,
} from './measured-segment.ts';
import { savedSegmentNames, unknownSegment } from './named-segment.ts';
import { performanceNotes } from './performance-notes.ts';
import { shownPerformance } from './shown-performance.ts';

interface Context {
  readonly args: {
    readonly business_id: string;
    readonly segment_query: string | object;
    readonly days: number;
    readonly direction: Direction;
  };
  readonly timezone: string;
  readonly currency: string | null;
  readonly facts: SnapshotFacts;
  readonly noise: Noise;
}

/**
 * Saved segments are fetched first, then those that they name, and so on; then it is asked what is known, and
 * then what is measured.
 */
export function planSegmentPerformance(context: Context): Plan<SegmentPerformance> {
  const { args, facts, timezone } = context;
  const { segment_query } = args;
  const segment_id = savedId(segment_query);
  const days = measuredDays(args.days, args.direction, facts, timezone);
  const asked = segment_id === null ? readAskedQuery(segment_query, '') : null;
  return planSaved(context, { asked, segment_id, days, saved: new Map() });
}

/** The id of a saved segment, which stands for its query; null: these are conditions. */
function savedId(segment_query: string | object): string | null {
  return typeof segment_query !== 'string' || /^\s*[{[]/.test(segment_query) ? null : segment_query;
}

interface Asked {
  /** Null means the query of the saved segment. */
  readonly asked: SegmentQuery | null;
  readonly segment_id: string | null;
  readonly days: MeasuredDays;
  readonly saved: SavedSegments;
}

function planSaved(context: Context, { asked, segment_id, days, saved }: Asked): Plan<SegmentPerformance> {
  const own = segment_id === null ? [] : [segment_id];
  const named = unknownSegments(asked === null ? [] : [asked], saved);
  const missing = [...new Set([...own.filter((id) => !saved.has(id)), ...named])];
  if (missing.length > 0) {
    return plan({
      queries: { segments: storedQueries(missing) },
      answer: ({ segments }) =>
        planSaved(context, { asked, segment_id, days, saved: addSegments(saved, missing, segments) }),
    });
  }
  const unknown = [...saved].find(([, query]) => query === null)?.[0];
  if (unknown !== undefined) {
    return plan({
      queries: { all: savedSegmentNames() },
      answer: ({ all }) => {
        throw unknownSegment(unknown, all);
      },
    });
  }
  const query = asked ?? (saved.get(segment_id ?? '') as SegmentQuery);
  return plan({
    queries: { store: ordersOfStore(days) },
    answer: ({ store }) =>
      planMeasured(context, { query, days, saved: withoutOwn(saved, query) }, onlyRow(store)),
  });
}

/** A segment that is asked for by its id is asked as its query is: the same people are the same question. */
function withoutOwn(saved: SavedSegments, own: SegmentQuery): SavedSegments {
  const others = new Map([...saved].filter(([, query]) => query !== own));
  const needed = unknownSegments(
    [own, ...others.values()].filter((one) => one !== null),
    new Map(),
  );
  return new Map([...saved].filter(([id, query]) => query !== own || needed.includes(id)));
}

interface Measurable {
  readonly query: SegmentQuery;
  readonly days: MeasuredDays;
  readonly saved: SavedSegments;
}

type SegmentPerformance = ReturnType<typeof planMeasured> extends Plan<infer Result> ? Result : never;

function planMeasured(
  { args, noise, currency }: Context,
  { query, days, saved }: Measurable,
  store: StoreRow,
) {
  const counts = countsOfParts(query, days);
  const scale = scaleOf(days);
  const sums = knownSums(days, store);
  const queries = [query, ...[...saved.values()].filter((one) => one !== null)];
  const references = queryReferences(query);
  return plan({
    queries: {
      parts: measuredParts({ query, saved }, counts, days),
      names: referenceNames(references),
      traits: knownTraits(queries),
    },
    measures: measuresOf(counts, sums, scale),
    answer: ({ parts, names: rows, traits }) => {
      const names = namesOf(rows);
      const shown = shownPerformance({ counts, row: onlyRow(parts), scale, sums }, noise);
      return {
        result: {
          business_id: args.business_id,
          as_of: days.end.moment,
          measured_from: days.begin.moment,
          days: days.days,
          direction: days.direction,
          most_orders_of_one: scale.mostOfOne,
          most_revenue_of_one: store.most_of_one,
          metrics: shown.metrics,
          readable: readableQuery(query, names, 'Group'),
        },
        notes: [
          ...performanceNotes({ queries, days, store, sums, shown, currency }),
          ...unknownReferenceNotes(references, names),
          ...unknownTraitNotes(queries, traits),
          ...knownDataNotes(queries, days.end),
        ],
      };
    },
  });
}

/** The sums that are known: one with an unknown part would look complete. */
function knownSums({ end }: MeasuredDays, { without_vat }: StoreRow): readonly SumName[] {
  if (!end.facts.loaded_tables.includes('orders')) return [];
  return SUM_NAMES.filter((name) => name !== 'net_revenue' || without_vat === 0);
}
