import type { Chart } from '../answers/chart.ts';
import { untabled } from '../answers/rows-as-table.ts';
import { hasCutBar } from './bar-scale.ts';
import { formatDay, formatMoment } from './dates.ts';
import { wordsFor } from './drawn-store.ts';
import { capitalised } from './field-words.ts';
import { type Doubt, type Figure, type FigureWords, type Panel, sayingText, type Value } from './figure.ts';
import { formatNumber } from './number-format.ts';
import { FEW, FEW_PARTS, isObject, pageOf } from './read/answer-rows.ts';
import { type Asked, dataUntil } from './read/asked-question.ts';
import { isBefore, lastLoadedDay, widenedDays } from './read/loaded-periods.ts';
import { sortWords } from './read/rank.ts';
import { isAboutOrder, readBars, readFunnels } from './read/read-bars.ts';
import { readCohorts, readGrids, readHeat, readMatrix } from './read/read-cells.ts';
import { readFlow, readIntervals } from './read/read-flows.ts';
import { readLines } from './read/read-lines.ts';

/**
 * Reads the figure that the charts of a tool make of an answer. Without panels: the answer holds nothing that
 * they draw.
 */
export function readFigure(given: Asked): Figure {
  const asked = withObjects(given);
  const { described, answer, store } = asked;
  const words = wordsFor(store);
  const { say } = words;
  const panels: Panel[] = [];
  const drawn = new Set<string>();
  const said = new Set<string>();
  for (const chart of described.charts) {
    // Rows by weekday and hour become a heat map, not a hundred bars as well.
    if (chart.kind === 'bars' && drawn.has(chart.rows)) continue;
    const { called = {}, texts = {} } = chart;
    const read = readPanels(chart, { ...asked, called, texts });
    const its = withSaying(chart, read)
      .map((panel) => sayingHidden(panel, words))
      .map((panel) => unsaid(panel, said));
    panels.push(...its);
    if (chart.kind === 'heat' && its.length > 0) drawn.add(chart.rows);
  }
  const until = dataUntil(answer, store);
  const widened = widenedDays(asked);
  return {
    title: titleOf(asked),
    subtitle: [store.name, nameOf(answer), rangeOf(asked)].filter((part) => part !== ''),
    panels,
    notes: [
      ...(answer.data_until === null ? [say('picture.nothing-loaded')] : []),
      ...(until === null
        ? []
        : [say('picture.loaded-until', { moment: formatMoment(until, store), timezone: store.timezone })]),
      ...(widened === null
        ? []
        : [say('picture.whole-periods', { days: spanText([widened.first, widened.last], store) })]),
      ...(panels.some((panel) => hasBefore(panel, words)) || isNothingBeside(asked, panels)
        ? startOf(store)
        : []),
      ...(panels.some(isHatched) ? [say('picture.hatched')] : []),
      ...(panels.some(isBesideWhole) ? [say('picture.beside-whole')] : []),
      ...forecastNotes(panels),
      ...doubtNotes(panels, words),
      ...cutNotes(panels, store),
      ...pageNotes(asked, panels),
    ],
    words,
  };
}

/** Titles that merchants would not use, with better ones. */
const TITLES: Readonly<Record<string, string>> = {
  brand_statistics: 'Brands',
  category_statistics: 'Categories',
  channel_transition_matrix: 'From channel to channel',
  email_deliverability_statistics: 'Whether e-mails arrived',
  first_purchase_cohorts: 'Customers who came back',
  incremental_campaign_statistics: 'Automations',
  order_distribution_statistics: 'When and what people order',
  order_statistics_trend: 'Revenue and orders along time',
  product_statistics: 'Products',
  rfm_segment_statistics: 'Segments of customers',
  session_statistics: 'Visits',
  session_statistics_trend: 'Visits along time',
  targeted_campaign_statistics: 'Campaigns to chosen recipients',
};

/** The title: “Get product” is what an assistant does; the picture shows the product. */
function titleOf({ described: { tool, title }, names }: Asked): string {
  // A page has its own title.
  if (names !== undefined) return title;
  return TITLES[tool] ?? title.replace(/^Get (.)/, (_, first: string) => first.toUpperCase());
}

/** Answers with many rows are tables; this makes objects of them. */
function withObjects(asked: Asked): Asked {
  const { described, answer, compared } = asked;
  const { list } = described;
  return {
    ...asked,
    answer: untabled(answer, list),
    ...(compared !== undefined && { compared: { ...compared, answer: untabled(compared.answer, list) } }),
  };
}

/** A sentence about several panels is shown once, above the first of them. */
function unsaid<One extends Panel>(panel: One, said: Set<string>): One {
  const says = panel.says.filter((one) => !said.has(sayingText(one)) || isAboutOrder(sayingText(one)));
  for (const one of says) said.add(sayingText(one));
  return { ...panel, says };
}

/** The first panel of a chart carries what the chart says. */
function withSaying({ says }: Chart, panels: readonly Panel[]): readonly Panel[] {
  const [first, ...others] = panels;
  return says === undefined || first === undefined
    ? panels
    : [{ ...first, says: [says, ...first.says] }, ...others];
}

function readPanels(chart: Chart, asked: Asked): readonly Panel[] {
  switch (chart.kind) {
    case 'line':
      return readLines(chart, asked);
    case 'bars':
      return readBars(chart, asked);
    case 'funnel':
      return readFunnels(chart, asked);
    case 'heat':
      return readHeat(chart, asked);
    case 'matrix':
      return readMatrix(chart, asked);
    case 'flow':
      return readFlow(chart, asked);
    case 'grid':
      return readGrids(chart, asked);
    case 'cohorts':
      return readCohorts(chart, asked);
    case 'interval':
      return readIntervals(chart, asked);
  }
}

/** The name of the one thing that an answer is about. */
function nameOf({ campaign_name, name, product }: Asked['answer']): string {
  const found = [campaign_name, name, isObject(product) ? product.name : null];
  return found.find((one): one is string => typeof one === 'string') ?? '';
}

/** The days that were asked about, or the moment of the answer; empty if it has neither. */
function rangeOf({ args, answer, store }: Asked): string {
  const [from = null, to = null] = [args.from_date, args.to_date].map((date) =>
    typeof date === 'string' ? date : null,
  );
  if (from == null && to == null)
    return typeof answer.as_of === 'string' ? formatMoment(answer.as_of, store) : '';
  return spanText([from, lastLoadedDay({ args, answer, store }) ?? to], store);
}

function spanText(days: readonly (string | null | undefined)[], store: Asked['store']): string {
  return days.map((day) => (day == null ? '…' : formatDay(day, store))).join(' – ');
}

/**
 * The notes on what is cut, each once, since panels of the same rows lack the same ones. A note that is not
 * about all panels names its own.
 */
function cutNotes(panels: readonly Panel[], store: Asked['store']): string[] {
  const cuts = panels.flatMap(({ cut }) => cut ?? []);
  const groups = Map.groupBy(cuts, (cut) => {
    const [drawn, of] = [cut.drawn, cut.of].map((count) => formatNumber(count, undefined, store));
    return `only ${drawn} of ${of} are drawn${cut.by === null ? '' : `, by ${cut.by}`}.`;
  });
  return [...groups].map(([said, its]) => {
    const names = [...new Set(its.map(({ what }) => what))];
    return capitalised(its.length === panels.length ? said : `${names.join('; ')}: ${said}`);
  });
}

function pageNotes(asked: Asked, panels: readonly Panel[]): string[] {
  const page = pageOf(asked);
  if (page === null || panels.length === 0 || panels.some(({ cut }) => cut !== null)) return [];
  return [`The answer has ${page.rows}, by ${sortWords(page.sort)}; its limit may leave others out.`];
}

/**
 * Says from when on orders are loaded: periods before that have no value, since nobody knows whether the
 * store sold something then.
 */
function startOf(store: Asked['store']): string[] {
  const { history_starts_at: start } = store;
  return start === null
    ? []
    : [wordsFor(store).say('picture.first-order', { moment: formatMoment(start, store) })];
}

function hasBefore(panel: Panel, words: FigureWords): boolean {
  const isOne = (value: Value | null) => isBefore(value, words);
  if (panel.kind === 'line') return panel.series.some(({ values }) => values.some(isOne));
  return panel.kind === 'bars' && panel.groups.some(({ values }) => values.some(isOne));
}

/** Whether nothing is loaded for the days to compare with. */
function isNothingBeside({ compared }: Asked, panels: readonly Panel[]): boolean {
  const lines = panels.filter((panel) => panel.kind === 'line');
  return (
    compared !== undefined &&
    lines.length > 0 &&
    lines.every(({ series }) => series.every(({ isCompared }) => !isCompared))
  );
}

function doubtNotes(panels: readonly Panel[], { say }: FigureWords): string[] {
  const doubts = new Set(panels.flatMap(doubtsOf));
  return [
    ...(doubts.has('few') ? [say('picture.few', { few: FEW, parts: FEW_PARTS })] : []),
    ...(doubts.has('unrecorded') ? [say('picture.unrecorded')] : []),
    ...(panels.some((panel) => panel.kind === 'bars' && hasCutBar(panel)) ? [say('picture.cut-bar')] : []),
  ];
}

function doubtsOf(panel: Panel): readonly Doubt[] {
  if (panel.kind === 'cells') return panel.cells.some(({ isOfFew }) => isOfFew) ? ['few'] : [];
  return valuesOf(panel).flatMap((one) => one?.doubt ?? []);
}

function valuesOf(panel: Panel): readonly (Value | null)[] {
  switch (panel.kind) {
    case 'line':
      return panel.series.flatMap(({ values }) => values);
    case 'bars':
      return panel.groups.flatMap(({ values }) => values);
    case 'cells':
      return panel.cells.map(({ value }) => value);
    default:
      // Ribbons and intervals are only drawn where there is a number.
      return [];
  }
}

/** Explains “hidden” above the picture: some of the hidden numbers matter most to a merchant. */
function sayingHidden(panel: Panel, { say }: FigureWords): Panel {
  const hidden = say('picture.hidden');
  // Compares the value, since its text would be made for nothing.
  const isHidden = (value: Value | null) => value?.value === null && value.text === hidden;
  return valuesOf(panel).some(isHidden)
    ? { ...panel, says: [...panel.says, say('picture.hidden-said', { hidden })] }
    : panel;
}

/** Says that a forecast goes on after the days that were asked about. */
function forecastNotes(panels: readonly Panel[]): string[] {
  const ahead = panels
    .flatMap((panel) => (panel.kind === 'line' ? [panel.columns] : []))
    .map((columns) => columns.filter(({ known }) => known === 'forecast'))
    .find((columns) => columns.length > 0);
  if (ahead === undefined) return [];
  const span = [...new Set([ahead[0]?.label, ahead.at(-1)?.label])].join(' – ');
  return [
    `Shaded: what to expect of ${span}; 4 of 5 times the number lies within the upright line. It does not know what you plan.`,
  ];
}

/** Whether an unfinished period is drawn next to a whole one. */
function isBesideWhole(panel: Panel): boolean {
  return (
    panel.kind === 'line' &&
    panel.columns.some(
      ({ known }, index) =>
        known === 'incomplete' &&
        panel.series.some(({ isCompared, values }) => isCompared && values[index]?.value != null),
    )
  );
}

function isHatched(panel: Panel): boolean {
  switch (panel.kind) {
    case 'line':
      return panel.columns.some(({ known }) => known === 'incomplete' || known === 'after');
    case 'bars':
      // A bar of zero shows no hatching.
      return panel.groups.some(
        ({ isIncomplete, values }) => isIncomplete && values.some((one) => one?.value),
      );
    case 'cells':
      return panel.cells.some(({ isIncomplete }) => isIncomplete);
    case 'interval':
      return panel.groups.some(({ isIncomplete }) => isIncomplete);
    default:
      return false;
  }
}
