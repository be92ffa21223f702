import { isScientific } from '../store/column-kinds.ts';
import { literal } from '../store/duckdb-session.ts';
import type { Question, Settings } from './source.ts';

/** SQL: whether a number may be a thousand times another one: `1.234`, `1,234`. */
export function isAmbiguous(cell: string): string {
  // One character tells nearly all cells, which is cheaper than a pattern.
  return `(case when substring(${cell}, -4, 1) in ('.', ',') then regexp_full_match(${cell}, '-?[1-9][0-9]{0,2}[.,][0-9]{3}') else false end)`;
}

/**
 * A statement that keeps in a variable how rows write their decimals, `point` or `comma`: where some cell
 * tells it, as `12.50` does, and none tells the other. It settles what `1.299` is in them.
 */
export function keepDecimalSign(variable: string, cells: readonly string[], rows: string): string {
  const tells = (sign: string) =>
    `bool_or(${cells
      .map(
        (cell) => `case when '${sign}' in (substring(${cell}, -3, 1), substring(${cell}, -2, 1)) then true
          when contains(${cell}, '${sign}') then regexp_matches(${cell}, '[${sign}][0-9]{4,}$|^-?(0|[0-9]{4,})[${sign}][0-9]{3}$') else false end`,
      )
      .join(' or ')})`;
  return `set variable ${variable} = (
    select case when is_point and not is_comma then 'point' when is_comma and not is_point then 'comma' end
    from (select coalesce(${tells('.')}, false) as is_point, coalesce(${tells(',')}, false) as is_comma from ${rows}))`;
}

/**
 * SQL: a cell of money as `moneyCell` has it, of rows whose decimal sign is kept in a variable. Where that
 * does not settle what an ambiguous cell is, it becomes one that our own format refuses: see `unclearAmount`.
 */
export function settledMoneyCell(variable: string, cell: string, otherwise = moneyCell): string {
  return `case
    when not ${isAmbiguous(cell)} then ${otherwise(cell)}
    when getvariable('${variable}') = 'point' then replace(${cell}, ',', '')
    when getvariable('${variable}') = 'comma' then replace(replace(${cell}, '.', ''), ',', '.')
    else replace(${cell}, '.', ',') end`;
}

/** SQL: why a row is rejected of which such a cell stays ambiguous. */
export function unclearAmount(variable: string, cells: readonly string[]): string {
  return `case when getvariable('${variable}') is null and (${cells.map(isAmbiguous).join(' or ')})
    then 'has an amount such as 1.299, which may be in thousands or in thousandths: the other amounts of these files do not tell which. Export it with two decimals' end`;
}

/**
 * SQL: a cell of money as our own format writes it. What spreadsheets made of it is undone where nothing else
 * can be meant.
 */
export function moneyCell(cell: string): string {
  const blanks = `regexp_replace(${cell}, '[\\s\\x{a0}\\x{202f}]', '', 'g')`;
  return `case
    when ${cell} is null or regexp_full_match(${cell}, '-?[0-9]+([.][0-9]+)?') then ${cell}
    when regexp_full_match(${blanks}, '-?([0-9]+|[0-9]{1,3}([.][0-9]{3})+),[0-9]{1,2}')
      then replace(replace(${blanks}, '.', ''), ',', '.')
    when regexp_full_match(${blanks}, '-?[0-9]{1,3}(,[0-9]{3})+[.][0-9]{1,2}') then replace(${blanks}, ',', '')
    when regexp_full_match(${blanks}, '-?[0-9]+([.][0-9]+)?') then ${blanks}
    else ${cell} end`;
}

/**
 * SQL: a cell of money as `moneyCell` has it, of an export that writes no thousands by itself: any number of
 * decimals may stand behind a comma, as in `82,6446`. `1,299` stays as it is, since a spreadsheet may have
 * put that comma there.
 */
export function moneyCellOfAnyDecimals(cell: string): string {
  const blanks = `regexp_replace(${cell}, '[\\s\\x{a0}\\x{202f}]', '', 'g')`;
  return `case
    when regexp_full_match(${blanks}, '-?[0-9]+,[0-9]+') and not regexp_full_match(${blanks}, '-?[1-9][0-9]{0,2},[0-9]{3}')
      then replace(${blanks}, ',', '.')
    else ${moneyCell(cell)} end`;
}

/** SQL: the amount in a cell; null if the cell is not an amount. */
export function amount(cell: string): string {
  return `try_cast(${moneyCell(cell)} as decimal(18,4))`;
}

/** SQL: the text of HTML, for a description. */
export function withoutTags(html: string): string {
  return `trim(regexp_replace(regexp_replace(${html}, '<[^>]*>', ' ', 'g'), '\\s+', ' ', 'g'))`;
}

/**
 * SQL: whether a spreadsheet made `5.90123E+12` of a code of digits, by which several codes become one. A
 * code such as `5E1` is still whole.
 */
export function isLostCode(cell: string): string {
  return `coalesce(regexp_full_match(${cell}, '[0-9]([.,][0-9]+)?[eE][+][0-9]+'), false)`;
}

/**
 * SQL: whether a spreadsheet left the first digits of a phone number (`9.23E+11`), or an error in its place
 * (`#NAME?`).
 */
export function isLostPhone(cell: string): string {
  return `coalesce(${isScientific(cell)} or starts_with(${cell}, '#'), false)`;
}

/** SQL: the first of some phone numbers that no spreadsheet damaged. */
export function wholePhone(...cells: readonly string[]): string {
  return `coalesce(${cells.map((cell) => `case when not ${isLostPhone(cell)} then ${cell} end`).join(', ')})`;
}

/**
 * SQL: the number in a cell of an export whose decimals always stand behind a comma, so that `1,000` is one.
 */
export function decimalComma(cell: string): string {
  const blanks = `regexp_replace(${cell}, '[\\s\\x{a0}\\x{202f}]', '', 'g')`;
  return `case when regexp_full_match(${blanks}, '-?[0-9]+,[0-9]+') then try_cast(replace(${blanks}, ',', '.') as decimal(18,4)) else ${amount(cell)} end`;
}

/** SQL: the id `1234` in a cell that a tool without missing integers wrote as `1234.0`. */
export function wholeId(cell: string): string {
  return `regexp_replace(${cell}, '^([0-9]+)[.]0+$', '\\1')`;
}

/** SQL: the texts in a cell as JSON. Commas separate them, so no text can have one. */
export function listCell(cell: string): string {
  return `cast(to_json(list_filter(list_transform(string_split(${cell}, ','), lambda item: trim(item)), lambda item: item <> '')) as varchar)`;
}

/** Ids and postal codes get an apostrophe, so that spreadsheets leave them alone. */
export function withoutApostrophe(cell: string): string {
  return `ltrim(${cell}, '''')`;
}

const ISO_WITHOUT_OFFSET = '[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?';
const SLASHED = '[0-9]{1,2}[/.][0-9]{1,2}[/.][0-9]{4} [0-9]{1,2}:[0-9]{2}(:[0-9]{2})?';

/**
 * SQL: the time in a cell such as `3/4/2026 22:36`; null if the cell has no time with its day and month in
 * this order.
 */
export function slashedTime(cell: string, dates: string): string {
  const order = dates === 'mdy' ? '%m/%d/%Y' : '%d/%m/%Y';
  return `try_strptime(replace(replace(${cell}, '.', '/'), '-', '/'), ['${order} %H:%M:%S', '${order} %H:%M', '${order}'])`;
}

/** A day as spreadsheets write it, some with a midnight behind it. */
const SLASHED_DAY = '[0-9]{1,2}[/.-][0-9]{1,2}[/.-][0-9]{4}( 0?0:00(:00)?)?';

/**
 * SQL: a cell of a day as our own format writes it. What cannot be understood stays as it is, and is rejected
 * there.
 */
export function dayCell(cell: string, { dates }: Settings): string {
  // Workbooks and tools of tables write a day as its midnight.
  const day = `regexp_replace(${cell}, '^([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]0?0:00(:00([.]0+)?)?$', '\\1')`;
  if (dates === undefined) return day;
  return `coalesce(case when regexp_full_match(${cell}, '${SLASHED_DAY}') then strftime(${slashedTime(cell, dates)}, '%Y-%m-%d') end, ${day})`;
}

/** What must be asked where a column has days such as `3/4/2026`. */
export function dayQuestion(column: string): Question {
  const cell = `"${column}"`;
  return orderQuestion(column, `regexp_full_match(${cell}, '${SLASHED_DAY}')`);
}

function orderQuestion(column: string, condition: string): Question {
  return {
    setting: 'dates',
    condition,
    problem: `a date that may begin with the day or the month in "${column}"`,
    example: '--dates dmy where 3/4/2026 is the 3rd of April, --dates mdy where it is the 4th of March',
    date: `"${column}"`,
  };
}

/**
 * SQL: a cell of time as our own format writes it. What cannot be understood stays as it is, and is rejected
 * there.
 */
export function momentCell(cell: string, { timezone, dates }: Settings): string {
  // TRICKY: DuckDB takes a millisecond for each text that it cannot cast, and a blank before the offset is
  // one.
  const joined = `regexp_replace(${cell}, ' ([+-][0-9]{2}):?([0-9]{2})$', '\\1:\\2')`;
  if (timezone === undefined) return joined;
  const local = (time: string) =>
    `strftime(timezone('UTC', timezone(${literal(timezone)}, ${time})), '%Y-%m-%dT%H:%M:%SZ')`;
  return `coalesce(case
    when regexp_full_match(${cell}, '${ISO_WITHOUT_OFFSET}') then ${local(`try_cast(${cell} as timestamp)`)}
    ${dates === undefined ? '' : `when regexp_full_match(${cell}, '${SLASHED}') then ${local(slashedTime(cell, dates))}`}
    end, ${joined})`;
}

/** What must be asked where times of a column lack what makes them moments. */
export function momentQuestions(column: string): Question[] {
  const cell = `"${column}"`;
  return [
    {
      setting: 'timezone',
      condition: `regexp_full_match(${cell}, '${ISO_WITHOUT_OFFSET}|${SLASHED}')`,
      problem: `a time without an offset from UTC in "${column}" (a spreadsheet cuts it off)`,
      example: '--timezone Europe/Prague for the timezone of the shop',
    },
    orderQuestion(column, `regexp_full_match(${cell}, '${SLASHED}')`),
  ];
}

/**
 * SQL: the moment of a cell that `momentCell` made; null if it is no moment, or of a year that our own format
 * cannot write.
 */
export function momentOf(cell: string): string {
  const moment = `try_cast(${cell} as timestamptz)`;
  return `timezone('UTC', case when ${moment} between '0000-01-01 00:00:00+00' and '9999-12-31 23:59:59.999999+00' then ${moment} end)`;
}
