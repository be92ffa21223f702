import type { Chart } from '../answers/chart.ts';
import type { Field } from '../answers/fields/field.ts';
import { type Rows, rowKeys } from '../answers/rows.ts';

/** What the charts of a tool need of its declaration: data, so that a page in another program can draw by it. */
export interface DescribedCharts {
  readonly tool: string;
  readonly title: string;
  /** The list that the arguments `fields` and `format` shape; null where there is none. */
  readonly list: string | null;
  /** What tells its rows apart; no choice of fields leaves it out. */
  readonly identity: readonly string[];
  /** The names in an answer, and in each of its rows: by them it is recognised where nothing names its tool. */
  readonly keys: readonly string[];
  readonly rowKeys: readonly string[];
  readonly charts: readonly Chart[];
  /** By the path of the list and the key in it: `periods.orders_count`. */
  readonly fields: Readonly<Record<string, DescribedField>>;
}

export interface DescribedField {
  readonly unit?: string;
  readonly definition?: string;
  /** What null means in this field. */
  readonly null?: string;
  /** Its texts are keys of ours. */
  readonly isKey?: true;
}

interface Drawable {
  readonly name: string;
  readonly title: string;
  readonly fields: readonly Field[];
  readonly rows?: Rows;
  readonly chart?: readonly Chart[];
}

/** Null where answers of the tool have no picture. */
export function describeCharts(tool: Drawable & { readonly chart: readonly Chart[] }): DescribedCharts;
export function describeCharts(tool: Drawable): DescribedCharts | null;
export function describeCharts({ name, title, fields, rows, chart }: Drawable): DescribedCharts | null {
  if (chart === undefined) return null;
  const wanted = new Set(chart.flatMap(pathsOf));
  const labels = new Set(chart.flatMap(labelsOf));
  // A value that is of the metric asked for has its unit.
  const metrics = fields.find(({ key }) => key === 'metric')?.values ?? [];
  const described = Object.fromEntries(
    fieldsIn('', fields).flatMap(([path, field]) => {
      const isSortable = wanted.has(`${parentOf(path)}*`) && field.unit !== undefined;
      const isDrawn = wanted.has(path) || isSortable || (labels.has(path) && field.isKey === true);
      if (isDrawn) return [[path, describeField(field)]];
      return metrics.includes(field.key) && field.unit ? [[path, { unit: field.unit }]] : [];
    }),
  );
  return {
    tool: name,
    title,
    list: rows?.list ?? null,
    identity: rows?.identity ?? [],
    keys: fields.map(({ key }) => key),
    rowKeys: rows === undefined ? [] : rowKeys(rows, fields),
    charts: chart,
    fields: described,
  };
}

const pathIn = ({ rows }: Chart, key: string) => (rows === '' ? key : `${rows}.${key}`);

/** What names a row. */
function labelsOf(chart: Chart): string[] {
  const label = 'label' in chart ? chart.label : 'by' in chart ? chart.by : [];
  return (label ?? []).flat().map((key) => pathIn(chart, key));
}

/** The fields of a chart, and with `*` every one of its rows: the caller may sort by any of them. */
function pathsOf(chart: Chart): string[] {
  const at = (key: string) => pathIn(chart, key);
  switch (chart.kind) {
    case 'line':
      return [...chart.values.flat().map(at), at('forecast')];
    case 'bars':
      return chart.sortedBy === undefined ? chart.values.flat().map(at) : [at('*')];
    case 'funnel':
      return chart.steps.map(at);
    case 'cohorts':
      return [at(chart.windows), at(`${chart.windows}.${chart.value}`)];
    case 'interval':
      return [chart.value, chart.low, chart.high].map(at);
    case 'matrix':
    case 'flow':
      return [chart.value, chart.from, chart.to].map(at);
    default:
      return [at(chart.value)];
  }
}

function fieldsIn(prefix: string, fields: readonly Field[]): [string, Field][] {
  return fields.flatMap((field) => {
    const path = `${prefix}${field.key}`;
    const inner = [field.fields ?? [], ...(field.either ?? [])].flat();
    return [[path, field] as [string, Field], ...fieldsIn(`${path}.`, inner)];
  });
}

function describeField({ unit, definition, null: meaning, isKey }: Field): DescribedField {
  return {
    ...(unit !== undefined && { unit }),
    ...(isKey !== true && { definition }),
    ...(meaning !== undefined && { null: meaning }),
    ...(isKey && { isKey }),
  };
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('.') + 1);
}
