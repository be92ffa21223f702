import { InputError } from '../../errors.ts';
import type { Column } from '../../store/column-kinds.ts';
import { literal } from '../../store/duckdb-session.ts';
import type { RawRows } from '../source.ts';
import { dayCell, isLostCode, momentCell, wholeId, wholePhone } from '../source-cells.ts';
import { flagCell, PERCENT, splitCell } from './cell-sql.ts';
import { type ColumnName, type Expression, isThere } from './mapping.ts';
import { readPattern, SERIAL_PATTERN, UNIX_PATTERNS } from './patterns.ts';

/**
 * What an expression becomes: SQL of a text cell, and SQL of reasons to reject a row, each null where there
 * is none.
 */
interface Compiled {
  readonly sql: string;
  readonly problems: readonly string[];
}

export interface ExpressionContext {
  readonly raw: RawRows;
  /** The relation of the rows. */
  readonly rows: string;
  /** Whether some file has a column. */
  has(column: ColumnName): boolean;
  /** SQL of the cell of a column; of a part's, and what stands in its header. */
  cell(column: ColumnName): string;
  /** SQL of a number of a column, and of the sign beside it. */
  number(use: NumberUse): { readonly cell: string; readonly sign: string };
  part(column: ColumnName): string;
  header(column: ColumnName): string;
}

/** A column that is read as a number. */
export interface NumberUse {
  readonly column: ColumnName;
  readonly decimal: 'comma' | 'point' | null;
  readonly isWhole: boolean;
}

type Kind = 'text' | 'number' | 'percent' | 'whole' | 'moment' | 'date' | 'flag';

/** What the cells of one of our columns are. */
function kindOf({ jsonSchema: { type, format } }: Column): Kind {
  if (type === 'number') return 'number';
  if (type === 'integer') return 'whole';
  if (type === 'boolean') return 'flag';
  if (format === 'date-time') return 'moment';
  return format === 'date' ? 'date' : 'text';
}

/**
 * SQL of what becomes a cell of one of our columns. Texts of the mapping are literals in it, columns are
 * names of ours.
 */
export function compile(expression: Expression, column: Column, context: ExpressionContext): Compiled {
  // A damaged number must not hide a whole one beside it.
  const cells = isPhone(column)
    ? { ...context, cell: (name: ColumnName) => wholePhone(context.cell(name)) }
    : context;
  const { sql, problems } = compiled(expression, kindOf(column), cells);
  if (!isId(column)) return { sql, problems };
  const isOfRow = textOf(column) === 'recordId' || textOf(column) === 'personId';
  const lost = `case when ${isLostCode(sql)} then 'has an id in scientific notation, by which a spreadsheet lost its digits: export it again' end`;
  return { sql: isOfRow ? wholeId(sql) : sql, problems: [...problems, lost] };
}

function isId(column: Column): boolean {
  return ['recordId', 'personId', 'itemId', 'code'].includes(textOf(column));
}

/** A phone number is kept as its hash with its country. */
function isPhone(column: Column): boolean {
  return column.stored('phone', (name) => name).some(({ name }) => name === 'phone_country');
}

/** What the texts of a column hold. */
function textOf(column: Column): string {
  return column.stored('id', (name) => name)[0]?.text ?? '';
}

/** Parts of an expression stand several times in its SQL, so that it grows with each level. */
const LONGEST_SQL = 2 ** 18;

function compiled(expression: Expression, kind: Kind, context: ExpressionContext): Compiled {
  const result = compiledForm(expression, kind, context);
  if (result.sql.length > LONGEST_SQL)
    throw new InputError('an expression of the mapping holds too many others: use fewer columns in it');
  return result;
}

function compiledForm(expression: Expression, kind: Kind, context: ExpressionContext): Compiled {
  switch (expression.kind) {
    case 'cell':
      return ofKind(expression.column, kind, context);
    case 'text':
      return { sql: context.cell(expression.column), problems: [] };
    case 'named':
      return { sql: `'name:' || ${context.cell(expression.column)}`, problems: [] };
    case 'part':
      return { sql: context.part(expression.column), problems: [] };
    case 'header':
      return { sql: context.header(expression.column), problems: [] };
    case 'constant':
      return { sql: literal(expression.value), problems: [] };
    case 'exported_at':
      return { sql: exportedAt(context.raw), problems: [] };
    case 'number':
      return numberOf(expression.column, expression.decimal, kind, context);
    case 'date':
      return dateOf(expression, kind, context);
    case 'map':
      return mapOf(expression, context);
    case 'same': {
      const [one, other] = expression.columns.map(context.cell);
      const [theirs, others] = expression.columns;
      const problem = `says different things in "${theirs}" and "${others}": is it of a period? Break the report down by day`;
      return {
        sql: kind === 'date' ? dayCell(String(one), context.raw.settings) : String(one),
        problems: [`case when ${one} is distinct from ${other} then ${literal(problem)} end`],
      };
    }
    case 'split':
      return { sql: splitCell(context.cell(expression.column), expression.by), problems: [] };
    case 'first': {
      const of = expression.of.map((each) => compiled(each, kind, context));
      const before = (index: number) => of.slice(0, index).map(({ sql }) => `${sql} is null`);
      // A problem of an expression that does not count is left out.
      const problems = of.flatMap((each, index) =>
        each.problems.map((problem) =>
          index === 0 ? problem : `case when ${before(index).join(' and ')} then ${problem} end`,
        ),
      );
      return { sql: `coalesce(${of.map(({ sql }) => sql).join(', ')})`, problems };
    }
    default: {
      const kindAt = (place: number) =>
        expression.kind === 'percent_off' && place === 1 ? 'percent' : 'number';
      const result = arithmetic(
        expression.kind,
        expression.of.map((each, place) => compiled(each, kindAt(place), context)),
      );
      // A sum without one of its columns would be another amount: what is not in the files is not known.
      return isThere(expression, context.has) ? result : { ...result, sql: 'cast(null as varchar)' };
    }
  }
}

/** A cell as it is, read as what the column is. */
function ofKind(column: ColumnName, kind: Kind, context: ExpressionContext): Compiled {
  const cell = context.cell(column);
  if (kind === 'moment') return { sql: momentCell(cell, context.raw.settings), problems: [] };
  if (kind === 'date') return { sql: dayCell(cell, context.raw.settings), problems: [] };
  if (kind === 'flag') return { sql: flagCell(cell), problems: [] };
  if (kind === 'number' || kind === 'percent' || kind === 'whole')
    return numberOf(column, null, kind, context);
  return { sql: cell, problems: [] };
}

/** Signs of currencies are left out of numbers, if it is the same one in all rows. */
function numberOf(
  column: ColumnName,
  decimal: 'comma' | 'point' | null,
  kind: Kind,
  context: ExpressionContext,
): Compiled {
  const number = context.number({ column, decimal, isWhole: kind === 'whole' });
  const first = `select ${number.sign} from ${context.rows} as r where ${number.sign} is not null order by _row limit 1`;
  const how =
    decimal === null
      ? `can be read without doubt; say how it is written in a mapping: {number: ${column}, decimal: point} where 1,204 is more than a thousand, {number: ${column}, decimal: comma} where it is little more than one`
      : `is written with a decimal ${decimal}`;
  const problems = [
    `case when ${context.cell(column)} is not null and ${number.cell} is null then ${literal(`has no number in "${column}" that ${how}`)} end`,
    `case when ${number.sign} <> (${first}) then ${literal(`has another sign of a currency in "${column}" than the rows before`)} end`,
    ...(kind === 'percent'
      ? []
      : [
          `case when ${number.sign} = '${PERCENT}' then ${literal(`has a percentage in "${column}", and an amount is needed`)} end`,
        ]),
  ];
  return { sql: number.cell, problems };
}

/** The columns that an expression reads as numbers, when it fills one of ours. */
export function numbersIn(expression: Expression, column: Column): NumberUse[] {
  return numbersOf(expression, kindOf(column));
}

function numbersOf(expression: Expression, kind: Kind): NumberUse[] {
  if ('of' in expression) {
    const inner = expression.kind === 'first' ? kind : 'number';
    return expression.of.flatMap((each) => numbersOf(each, inner));
  }
  const isWhole = kind === 'whole';
  if (expression.kind === 'number')
    return [{ column: expression.column, decimal: expression.decimal, isWhole }];
  const isRead = expression.kind === 'cell' && (kind === 'number' || isWhole);
  return isRead ? [{ column: expression.column, decimal: null, isWhole }] : [];
}

function dateOf(
  { column, pattern, zone }: Extract<Expression, { kind: 'date' }>,
  kind: Kind,
  context: ExpressionContext,
): Compiled {
  const cell = context.cell(column);
  const settings = zone === null ? context.raw.settings : { ...context.raw.settings, timezone: zone };
  if (pattern === null) return { sql: momentCell(cell, settings), problems: [] };
  const time = timeOf(cell, pattern);
  const problem = `case when ${cell} is not null and ${time} is null
    then ${literal(`does not fit the pattern "${pattern}" in "${column}"`)} end`;
  if (kind !== 'moment') return { sql: `strftime(${time}, '%Y-%m-%d')`, problems: [problem] };
  const timezone = UNIX_PATTERNS.includes(pattern) ? 'UTC' : (settings.timezone ?? null);
  // A missing timezone is asked for before this runs.
  const moment = timezone === null ? time : `timezone('UTC', timezone(${literal(timezone)}, ${time}))`;
  return { sql: `strftime(${moment}, '%Y-%m-%dT%H:%M:%SZ')`, problems: [problem] };
}

/** SQL: the local time in a cell; null if the cell does not have that pattern. */
function timeOf(cell: string, pattern: string): string {
  if (UNIX_PATTERNS.includes(pattern))
    return `make_timestamp(cast(try_cast(case when regexp_full_match(${cell}, '[0-9]{1,13}') then ${cell} end as bigint) * ${pattern === 'unix' ? 1_000_000 : 1000} as bigint))`;
  if (pattern === SERIAL_PATTERN) {
    const days = `try_cast(case when regexp_full_match(${cell}, '[0-9]{5}([.,][0-9]+)?') then replace(${cell}, ',', '.') end as double)`;
    // Five decimals of a day are a second.
    return `timestamp '1899-12-30 00:00:00' + to_seconds(cast(round(${days} * 86400) as bigint))`;
  }
  const time = `try_strptime(${cell}, ${literal(readPattern(pattern) ?? '')})`;
  // A year of two digits is not in the first century.
  return pattern.includes('YYYY') ? `case when year(${time}) >= 1000 then ${time} end` : time;
}

function mapOf(
  { column, values, otherwise }: Extract<Expression, { kind: 'map' }>,
  context: ExpressionContext,
): Compiled {
  const cell = context.cell(column);
  const known = [...values].map(
    ([theirs, ours]) => `when ${literal(theirs)} then nullif(${literal(ours)}, '')`,
  );
  const rest = otherwise === null ? 'null' : `nullif(${literal(otherwise)}, '')`;
  const cases = known.length === 0 ? rest : `case lower(${cell}) ${known.join(' ')} else ${rest} end`;
  return {
    sql: `case when ${cell} is not null then ${cases} end`,
    problems:
      otherwise === null
        ? [
            `case when ${isUnknown(cell, values)} then ${literal(`has a text in "${column}" that is not among the values of its map`)} end`,
          ]
        : [],
  };
}

/** SQL: whether a map does not know a cell. */
export function isUnknown(cell: string, values: ReadonlyMap<string, string>): string {
  const known = [...values.keys()].map(literal);
  return known.length === 0
    ? `${cell} is not null`
    : `coalesce(lower(${cell}) not in (${known.join(', ')}), false)`;
}

/** A cell that is no number stays in the way of the result, so that its row is rejected. */
function arithmetic(
  kind: 'sum' | 'difference' | 'quotient' | 'absolute' | 'percent_off',
  of: readonly Compiled[],
): Compiled {
  const type = 'decimal(24,6)';
  const amounts = of.map(({ sql }) => `try_cast(${sql} as ${type})`);
  const wrong = of.map(
    ({ sql }, index) => `when ${sql} is not null and ${amounts[index]} is null then ${sql}`,
  );
  const isNothing = amounts.map((amount) => `${amount} is null`);
  const orZero = amounts.map((amount) => `coalesce(${amount}, 0)`);
  const [one = 'null', other = 'null'] = amounts;
  const result = {
    sum: `case when ${isNothing.join(' and ')} then null else cast(${orZero.join(' + ')} as varchar) end`,
    difference: `case when ${one} is null or ${other} is null then null else cast(${one} - ${other} as varchar) end`,
    // A line of no pieces and no amount has the price 0.
    quotient: `case when ${one} = 0 and ${other} = 0 then '0' when ${other} <> 0 then cast(cast(round(cast(${one} as double) / cast(${other} as double), 12) as decimal(30,12)) as varchar) end`,
    absolute: `cast(abs(${one}) as varchar)`,
    percent_off: `cast(cast(${one} * (1 - coalesce(${other}, 0) / 100) as decimal(24,6)) as varchar)`,
  }[kind];
  return {
    sql: `case ${wrong.join(' ')} else ${result} end`,
    problems: of.flatMap(({ problems }) => problems),
  };
}

/** The day that was said, else the moment at which the file was written. */
function exportedAt({ settings, written }: RawRows): string {
  const said = settings['exported-at'];
  if (said !== undefined) return literal(said);
  const days = written.map((moment, index) => `when ${index} then ${literal(moment.toISOString())}`);
  return `case _file ${days.join(' ')} end`;
}
