/** How the numbers of a cell are shown, as far as it tells what they are. */
export type NumberFormat =
  | { readonly kind: 'number'; readonly digits: number }
  | { readonly kind: 'moment'; readonly hasDay: boolean; readonly hasTime: boolean };

/** Built-in formats of days and times, by their number; those of East Asia among them. */
const DAYS = [14, 15, 16, 17, 22, ...Array.from({ length: 10 }, (_, index) => 27 + index), 50, 51, 52];
const MORE_DAYS = [53, 54, 55, 56, 57, 58];
const TIMES = [18, 19, 20, 21, 45, 47];

export function formatOf(id: number, code: string | undefined): NumberFormat {
  if (code !== undefined) return formatOfCode(code);
  if (DAYS.includes(id) || MORE_DAYS.includes(id))
    return { kind: 'moment', hasDay: true, hasTime: id === 22 };
  if (TIMES.includes(id)) return { kind: 'moment', hasDay: false, hasTime: true };
  return { kind: 'number', digits: 1 };
}

/** A format of one's own: `dd.mm.yyyy hh:mm`, `[$-409]mmm yy`, `"day" 0`, `00000`. */
function formatOfCode(code: string): NumberFormat {
  const [positive = ''] = code.split(';');
  // Hours beyond a day are a length of time, and no moment.
  if (/\[[hms]+\]/i.test(positive)) return { kind: 'number', digits: 1 };
  const signs = signsOf(positive).toLowerCase();
  const hasDay = /[yd]/.test(signs) || (/m/.test(signs) && !/[hs]/.test(signs));
  const hasTime = /[hs]/.test(signs);
  if (!/[0#?]/.test(signs.replace(/s[.,]0+/, 's')) && (hasDay || hasTime))
    return { kind: 'moment', hasDay, hasTime };
  return { kind: 'number', digits: /^0+$/.test(signs) ? signs.length : 1 };
}

/**
 * A format without what is shown as it stands: quoted texts, colours and languages in brackets, and the
 * character after `\`, `_` or `*`.
 */
function signsOf(format: string): string {
  let signs = '';
  for (let at = 0; at < format.length; at++) {
    const sign = format.charAt(at);
    const closing = sign === '"' ? '"' : sign === '[' ? ']' : null;
    if (closing !== null) {
      const end = format.indexOf(closing, at + 1);
      // A text that is not closed goes on to the end.
      if (end < 0) break;
      at = end;
    } else if ('\\_*'.includes(sign)) at++;
    else signs += sign;
  }
  return signs;
}

/** A spreadsheet keeps 15 digits. Beyond this number it has lost some. */
const WHOLE_DIGITS = 1e15;

/**
 * The text of a number as a table has it. Days are as ISO 8601 writes them, without an offset. A number of
 * more digits than a spreadsheet keeps is in scientific notation, by which it is told that it lost some.
 *
 * @param from1904 whether days are counted from 1904, as in workbooks of old Macs
 */
export function textOfNumber(written: string, format: NumberFormat, from1904: boolean): string {
  const number = Number(written);
  if (written.trim() === '' || !Number.isFinite(number)) return written;
  if (format.kind === 'moment') return textOfMoment(number, format, from1904) ?? written;
  if (Math.abs(number) >= WHOLE_DIGITS) return number.toExponential().toUpperCase();
  const rounded = Number(number.toPrecision(15));
  const text = String(rounded);
  if (/e/i.test(text)) return rounded.toFixed(20).replace(/\.?0+$/, '');
  return format.digits > 1 && /^\d+$/.test(text) ? text.padStart(format.digits, '0') : text;
}

const DAY_SECONDS = 86_400;

/** Null for what is no moment: spreadsheets know none before 1900. */
function textOfMoment(
  serial: number,
  { hasDay, hasTime }: { readonly hasDay: boolean; readonly hasTime: boolean },
  from1904: boolean,
): string | null {
  if (serial < 0 || serial >= 2_958_466) return null;
  const seconds = Math.round(serial * DAY_SECONDS);
  const time = new Date((seconds % DAY_SECONDS) * 1000).toISOString().slice(11, 19);
  if (!hasDay) return seconds < DAY_SECONDS ? time : null;
  const days = Math.floor(seconds / DAY_SECONDS);
  // Serial 60 is 29 February 1900, a day that only spreadsheets have.
  if (!from1904 && days === 60) return null;
  const first = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
  const day = new Date(first + days * DAY_SECONDS * 1000).toISOString().slice(0, 10);
  return hasTime || seconds % DAY_SECONDS !== 0 ? `${day} ${time}` : day;
}
