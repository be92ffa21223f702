import type { Chart } from '../../answers/chart.ts';
import { labelOf } from '../field-words.ts';
import type { FlowPanel, IntervalPanel } from '../figure.ts';
import { cutOf, labelText, rowsAt, valueAt } from './answer-rows.ts';
import type { Asked } from './asked-question.ts';
import { definitionsOf, headOf, namesOf } from './column-heads.ts';
import { distinctNames } from './group-by-thing.ts';
import { isOpen } from './loaded-periods.ts';
import { rankRows } from './rank.ts';
import { endsOf } from './read-cells.ts';

type Of<Kind extends Chart['kind']> = Extract<Chart, { kind: Kind }>;

export function readFlow(chart: Of<'matrix' | 'flow'>, asked: Asked): FlowPanel[] {
  const rows = rowsAt(asked, chart.rows);
  const [sources, targets] = endsOf(chart, asked, rows);
  const ribbons = rows.flatMap((one) => {
    const value = valueAt(asked, chart.rows, one, chart.value);
    if (value?.value == null || value.value <= 0) return [];
    return [
      {
        source: sources.indexOf(labelText(asked, chart.rows, [chart.from], one.row)),
        target: targets.indexOf(labelText(asked, chart.rows, [chart.to], one.row)),
        value,
      },
    ];
  });
  if (ribbons.length === 0) return [];
  const head = headOf(asked, chart.rows, [chart.value]);
  const isSaid = ribbons.some(({ source, target }) => sources[source] === targets[target]);
  return [
    {
      kind: 'flow',
      ...head,
      says: isSaid ? [...head.says, 'Grey: stayed. Other colours: by where they come from.'] : head.says,
      cut: cutOf(asked, chart.rows, namesOf(asked, chart.rows, [chart.value]), { drawn: rows.length }),
      from: labelOf(chart.from),
      to: labelOf(chart.to),
      sources,
      targets,
      ribbons,
    },
  ];
}

const MOST_INTERVALS = 20;

const INTERVAL_SAID = 'The line is the 95 % interval: so far chance alone could have moved the dot.';

/** Reads the intervals of the rows that have one. */
export function readIntervals(chart: Of<'interval'>, asked: Asked): IntervalPanel[] {
  const { rows, by } = rankRows(asked, chart, rowsAt(asked, chart.rows), chart.value);
  const names = distinctNames(
    asked,
    chart.rows,
    chart.label,
    rows.map(({ row }) => row),
  );
  const all = rows.flatMap((row, index) => {
    const [value, low, high] = [chart.value, chart.low, chart.high].map((key) =>
      valueAt(asked, chart.rows, row, key),
    );
    if (value?.value == null || low?.value == null || high?.value == null) return [];
    return [{ label: names[index] ?? '', isIncomplete: isOpen(asked, row, chart), value, low, high }];
  });
  const groups = chart.isMutual ? againstOthers(all) : all;
  if (groups.length === 0) return [];
  const head = headOf(asked, chart.rows, [chart.value]);
  return [
    {
      kind: 'interval',
      ...head,
      says: [...head.says, INTERVAL_SAID],
      definitions: definitionsOf(asked, chart.rows, [chart.value, chart.low]),
      cut: cutOf(asked, chart.rows, namesOf(asked, chart.rows, [chart.value]), {
        drawn: Math.min(groups.length, MOST_INTERVALS),
        drawable: groups.length,
        by,
      }),
      reference: chart.reference ?? null,
      groups: groups.slice(0, MOST_INTERVALS),
    },
  ];
}

/** Compares each group with the others; two groups need only one difference. */
function againstOthers<Group extends { readonly label: string }>(all: readonly Group[]): readonly Group[] {
  const [first, second] = all;
  if (first === undefined || second === undefined) return all;
  return all.length === 2
    ? [{ ...first, label: `${first.label} against ${second.label}` }]
    : all.map((group) => ({ ...group, label: `${group.label} against the best other` }));
}
