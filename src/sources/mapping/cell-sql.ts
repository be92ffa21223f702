import { isAmbiguous } from '../source-cells.ts';

/** A sign of a currency beside a number: `$`, `Kč`, `CZK`, `zł`, `Lei.`; or that it is a percentage. */
const SIGN = String.raw`(?:\p{Sc}|%|\p{L}{1,3}\.?\p{Sc}?)`;
export const PERCENT = '%';
const BLANKS = String.raw`[\s\x{a0}\x{202f}\x{2009}'’]`;
/** A minus stands before or behind, or brackets stand for it. */
const SIGNED = String.raw`([-−(]?)\s*(${SIGN})?\s*([-−(]?)\s*([0-9](?:[0-9.,]|${BLANKS})*)\s*([-−)]?)\s*(${SIGN})?\s*([-−)]?)`;

/**
 * The parts of a number with anything beside its digits. Unicode's letters make the pattern slow: plain
 * numbers go without.
 */
export function numberParts(cell: string, decimal: 'comma' | 'point' | null): string {
  return `case when not ${isPlain(cell, decimal)}
    then regexp_extract(${cell}, '^${quoted(SIGNED)}$', ['mark', 'sign', 'mark_behind_sign', 'digits', 'mark_behind', 'sign_behind', 'last_mark']) end`;
}

/**
 * SQL: the digits of such parts, without the blanks between thousands. Null where blanks stand elsewhere, as
 * in `12,50 3`.
 */
export function numberDigits(parts: string): string {
  const digits = `regexp_replace(${parts}.digits, '${quoted(BLANKS)}+$', '')`;
  const grouped = `[0-9.,]+|[0-9]{1,3}(${quoted(BLANKS)}[0-9]{3})+([.,][0-9]+)?`;
  return `case when regexp_full_match(${digits}, '${grouped}') then regexp_replace(${digits}, '${quoted(BLANKS)}', '', 'g') end`;
}

/** SQL: the sign of a currency, or of a percentage, in such parts; null where none is there. */
export function currencySign(parts: string): string {
  return `nullif(${parts}.sign || ${parts}.sign_behind, '')`;
}

/**
 * SQL: a number as our own format writes it. Without `decimal` only where nothing else can be meant, `1.234`
 * not being such. Null where it cannot be read.
 */
export function numberCell(
  cell: string,
  { parts, digits }: { readonly parts: string; readonly digits: string },
  decimal: 'comma' | 'point' | null,
  isWhole: boolean,
): string {
  const marks = `replace(${['mark', 'mark_behind_sign', 'mark_behind', 'last_mark'].map((part) => `${parts}.${part}`).join(' || ')}, '−', '-')`;
  // Null where a bracket is left open, or a minus stands there twice, so that the cell is refused.
  const minus = `case ${marks} when '' then '' when '-' then '-' when '()' then '-' end`;
  const withPoint = `when regexp_full_match(${digits}, '([0-9]+|[0-9]{1,3}(,[0-9]{3})+)([.][0-9]+)?') then (${minus}) || replace(${digits}, ',', '')`;
  const withComma = `when regexp_full_match(${digits}, '([0-9]+|[0-9]{1,3}([.][0-9]{3})+)(,[0-9]+)?') then (${minus}) || replace(replace(${digits}, '.', ''), ',', '.')`;
  const whole = `when regexp_full_match(${digits}, '[0-9]+|[0-9]{1,3}([.,][0-9]{3})+') then (${minus}) || regexp_replace(${digits}, '[.,]', '', 'g')`;
  const unambiguous = `when ${isAmbiguous(digits)} then null
    when regexp_full_match(${digits}, '[0-9]+([.][0-9]+)?') then (${minus}) || ${digits}
    when regexp_full_match(${digits}, '[0-9]+,[0-9]+|[0-9]{1,3}([.][0-9]{3})+,[0-9]+') then (${minus}) || replace(replace(${digits}, '.', ''), ',', '.')
    when regexp_full_match(${digits}, '[0-9]{1,3}(,[0-9]{3})+[.][0-9]+') then (${minus}) || replace(${digits}, ',', '')`;
  const cases = { comma: withComma, point: withPoint, none: isWhole ? whole : unambiguous }[
    decimal ?? 'none'
  ];
  return `case when ${parts} is null then ${cell} ${cases} end`;
}

/** SQL: whether a cell is a number as our own format writes it, and as no other one could be. */
function isPlain(cell: string, decimal: 'comma' | 'point' | null): string {
  const plain = decimal === 'comma' ? '-?[0-9]+' : '-?[0-9]+([.][0-9]+)?';
  const isNumber = `regexp_full_match(${cell}, '${plain}')`;
  return decimal === null ? `(${isNumber} and not ${isAmbiguous(cell)})` : isNumber;
}

function quoted(pattern: string): string {
  return pattern.replaceAll("'", "''");
}

/** SQL: a yes or no as our own format writes it. */
export function flagCell(cell: string): string {
  return `case when lower(${cell}) in ('true', 'yes', '1') then 'true' when lower(${cell}) in ('false', 'no', '0') then 'false' else ${cell} end`;
}

/** SQL: a list of texts, which may stand in quotes, as JSON. */
export function splitCell(cell: string, by: string): string {
  const quotedItem = '"(?:[^"]|"")*"';
  const item = `\\s*(?:${quotedItem}|[^"${classOf(by)}]*)\\s*`;
  // A quote within an item quotes nothing, as in `5" vase, mug`.
  const items = `case when ${cell} like '%"%' and regexp_full_match(${cell}, '${item}(?:[${classOf(by)}]${item})*')
      then list_transform(regexp_extract_all(${cell}, '${quotedItem}|[^"${classOf(by)}]+'), lambda item:
        case when starts_with(item, '"') then replace(substring(item, 2, length(item) - 2), '""', '"') else item end)
      else string_split(${cell}, '${quoted(by)}') end`;
  return `case when ${cell} is null then null
    else cast(to_json(list_filter(list_transform(${items}, lambda item: trim(item)), lambda item: item <> '')) as varchar) end`;
}

/** Characters within the brackets of a regular expression. */
function classOf(text: string): string {
  return quoted([...text].map((character) => (/\w/.test(character) ? character : `\\${character}`)).join(''));
}
