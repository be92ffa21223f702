import type { z } from 'zod';
import type { Chart } from '../answers/chart.ts';
import { AS_NAMED, type Field, type WhoseRevenue } from '../answers/fields/field.ts';
import { baseOf } from '../answers/fields/rate-base.ts';
import { type Rows, rowKeys } from '../answers/row-formats.ts';

/**
 * The part of a tool's declaration that its charts need. It is plain data, so that a page in another program
 * can draw from it.
 */
export interface DescribedCharts {
  readonly tool: string;
  readonly title: string;
  /** The list that the arguments `fields` and `format` shape; null if the tool has none. */
  readonly list: string | null;
  /** The fields that identify a row; a choice of fields never leaves them out. */
  readonly identity: readonly string[];
  /** Keys of an answer and its rows, by which an answer is recognised if nothing names its tool. */
  readonly keys: readonly string[];
  readonly rowKeys: readonly string[];
  readonly charts: readonly Chart[];
  /** The order of the list if the caller chooses none; undefined when the tool cannot be sorted. */
  readonly sort?: Sort;
  /** The fields by the path of their list and the key in it: `periods.orders_count`. */
  readonly fields: Readonly<Record<string, DescribedField>>;
}

/** The arguments of a tool that sort its list. */
export interface Sort {
  readonly sort_by: string;
  readonly sort_order: string;
}

export interface DescribedField {
  readonly unit?: string;
  readonly definition?: string;
  /** What null means in this field. */
  readonly null?: string;
  /** Whether the texts of the field are keys, which a picture shows as words. */
  readonly isKey?: true;
  readonly revenue?: WhoseRevenue;
  /** The key of the count that a rate is a part of. */
  readonly of?: string;
  /** The key of the count by which a mean of money is divided. */
  readonly per?: string;
}

interface Drawable {
  readonly name: string;
  readonly title: string;
  readonly fields: readonly Field[];
  readonly rows?: Rows;
  readonly chart?: readonly Chart[];
  readonly input?: z.ZodObject;
}

/** Null if answers of the tool have no picture. */
export function describeCharts(tool: Drawable & { readonly chart: readonly Chart[] }): DescribedCharts;
export function describeCharts(tool: Drawable): DescribedCharts | null;
export function describeCharts({
  name,
  title,
  fields,
  rows,
  chart,
  input,
}: Drawable): DescribedCharts | null {
  if (chart === undefined) return null;
  const wanted = new Set(chart.flatMap(pathsOf));
  const labels = new Set(chart.flatMap(labelsOf));
  // A value of the metric that was asked for has that metric's unit.
  const metrics = fields.find(({ key }) => key === 'metric')?.values ?? [];
  const all = fieldsIn('', fields);
  const wholes = new Set(all.map(([path, field]) => `${parentOf(path)}${baseBeside(path, field, all)?.key}`));
  const described = Object.fromEntries(
    all.flatMap(([path, field]) => {
      const isSortable = wanted.has(`${parentOf(path)}*`) && field.unit !== undefined;
      const isDrawn = wanted.has(path) || isSortable || (labels.has(path) && field.isKey === true);
      if (isDrawn) return [[path, describeField(field, baseBeside(path, field, all))]];
      const isNamed = metrics.includes(field.key) || wholes.has(path);
      return isNamed && field.unit ? [[path, { unit: field.unit }]] : [];
    }),
  );
  const sort = sortOf(input);
  return {
    tool: name,
    title,
    list: rows?.list ?? null,
    identity: rows?.uniqueBy ?? [],
    keys: fields.map(({ key }) => key),
    rowKeys: rows === undefined ? [] : rowKeys(rows, fields),
    charts: chart,
    ...(sort !== null && { sort }),
    fields: described,
  };
}

function sortOf(input: z.ZodObject | undefined): Sort | null {
  const [sort_by, sort_order] = ['sort_by', 'sort_order'].map(
    (name) => (input?.shape[name] as z.ZodType | undefined)?.safeParse(undefined).data,
  );
  return typeof sort_by === 'string' && typeof sort_order === 'string' ? { sort_by, sort_order } : null;
}

/** The count that a rate is a part of, or by which a mean of money is divided. */
function baseBeside(path: string, field: Field, all: readonly [string, Field][]): Field | undefined {
  if (field.unit !== 'percent' && field.unit !== 'money') return undefined;
  const beside = all.filter(([other]) => parentOf(other) === parentOf(path));
  return baseOf(
    field,
    beside.map(([, one]) => one),
  );
}

const pathIn = ({ rows }: Chart, key: string) => (rows === '' ? key : `${rows}.${key}`);

/** The fields that name a row. */
function labelsOf(chart: Chart): string[] {
  const label = 'label' in chart ? chart.label : 'by' in chart ? chart.by : [];
  return (label ?? []).flat().map((key) => pathIn(chart, key));
}

/** The fields of a chart; with `*` all fields of its rows, since the caller may sort by any of them. */
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
      return [at(chart.windows), at(`${chart.windows}.${chart.value}`), at(chart.size)];
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

function describeField(
  { unit, definition, null: meaning, isKey, revenue }: Field,
  base: Field | undefined,
): DescribedField {
  return {
    ...(unit !== undefined && { unit }),
    ...(isKey !== true && definition !== AS_NAMED && { definition }),
    ...(meaning !== undefined && { null: meaning }),
    ...(isKey && { isKey }),
    ...(revenue !== undefined && { revenue }),
    ...(base !== undefined && (unit === 'percent' ? { of: base.key } : { per: base.key })),
  };
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('.') + 1);
}
