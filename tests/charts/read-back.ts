import { elementsOf, parseXml, textOf, type XmlElement } from './xml.ts';

/**
 * Reads the numbers of a picture back, without asking the code that drew it: from where marks stand, how long
 * bars are and what labels say; and compares each with the number of the answer that it claims to be.
 */

export interface ReadBack {
  /** Numbers of the answer that a mark or a bound shows. */
  readonly marks: number;
  /** The marks whose number a label says. */
  readonly labels: number;
  /** The marks whose number the shade of a cell says. */
  readonly shades: number;
  readonly problems: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/** @param answer with rows as objects; `compared` is what is drawn beside */
export function readBack(svg: string, answer: Json, compared: Json = {}, decimalSign = '.'): ReadBack {
  const problems: string[] = [];
  let [marks, labels] = [0, 0];
  const cells: Cell[] = [];
  const whole = { ...answer, compared };
  for (const [element, above] of elementsOf(parseXml(svg))) {
    const { attribs } = element;
    for (const [at, shown] of claimsOf(attribs)) {
      marks += 1;
      const told = valueAt(whole, at);
      if ((told ?? null) !== shown) problems.push(`${at} is drawn as ${shown}, the answer says ${told}`);
    }
    const at = attribs['data-at'];
    if (at !== undefined && attribs['data-value'] !== undefined) {
      const drawn = drawnValue(element, above);
      const told = Number(attribs['data-value']);
      // A bar that is cut off ends where its scale does, before its value.
      const isShort = drawn !== null && Math.abs(drawn.value) < Math.abs(told);
      if (attribs['data-cut'] !== undefined) {
        if (!isShort || !attribs.class?.includes('hollow')) problems.push(`${at} is cut off for no reason`);
      } else if (drawn !== null && Math.abs(drawn.value - told) > drawn.tolerance) {
        problems.push(`${at} is ${told} and stands where ${drawn.value} is`);
      }
    }
    const classes = attribs.class?.split(' ') ?? [];
    if (at !== undefined && classes.includes('cell')) {
      const told = valueAt(whole, at);
      const isHollow = classes.includes('hollow');
      const isOfFew = told !== null && isShareOfFew(whole, at);
      if (isHollow !== isOfFew) problems.push(`${at} is ${told}, and is hollow: ${isHollow}`);
      cells.push({ at, told, isHollow, shade: classes.find((name) => /^(q\d|none)$/.test(name)) });
    }
    const label = attribs['data-label'];
    if (label !== undefined) {
      labels += 1;
      const told = numberAt(whole, label);
      const said = numberIn(textOf(element), decimalSign);
      if (!isSameNumber(said, told))
        problems.push(`${label} is ${told} and its label says ${textOf(element)}`);
    }
    const isValue = ['value', 'told'].some((name) => classes.includes(name));
    if (element.name === 'text' && isValue && above.every((one) => one.attribs['data-label'] === undefined)) {
      problems.push(`nobody knows which number "${textOf(element)}" is`);
    }
  }
  problems.push(...wrongShades(cells));
  return { marks, labels, shades: cells.length, problems };
}

interface Cell {
  readonly at: string;
  /** As the answer says it. */
  readonly told: unknown;
  readonly isHollow: boolean;
  readonly shade: string | undefined;
}

/** Whether fewer than 30 transitions lead from where this one does. */
function isShareOfFew(answer: Json, at: string): boolean {
  const [list = '', index, key] = at.split('.');
  const rows = answer[list];
  if (list !== 'transitions' || key !== 'probability' || !Array.isArray(rows)) return false;
  const from = rows[Number(index)].from;
  let transitions = 0;
  for (const row of rows) if (row.from === from) transitions += row.transitions_count;
  return transitions < 30;
}

/** Cells of one value are compared with each other, in whichever table they stand: darker is never less. */
function* wrongShades(cells: readonly Cell[]): Generator<string> {
  const sameValue = Map.groupBy(cells, ({ at }) => at.replaceAll(/\.\d+\./g, '.'));
  for (const its of sameValue.values()) {
    const greatest = Math.max(...its.map(({ told }) => Number(told)));
    const shaded = its.filter(({ isHollow }) => !isHollow);
    for (const { at, told, shade } of shaded) {
      const expected = told == null ? 'none' : shadeFor(Number(told), greatest);
      if (shade !== expected)
        yield `${at} is ${told} of at most ${greatest}, so ${expected}, and is shaded ${shade}`;
    }
    const byValue = shaded
      .filter(({ told }) => told != null)
      .sort((one, two) => Number(one.told) - Number(two.told));
    for (const [index, { at, shade = '' }] of byValue.entries()) {
      const less = byValue[index - 1];
      if (less?.shade !== undefined && less.shade > shade) yield `${at} is more than ${less.at} and lighter`;
    }
  }
}

/** Nothing is the lightest, the greatest the darkest; between are six of equal width. */
function shadeFor(value: number, greatest: number): string {
  if (value <= 0) return 'q0';
  if (value === greatest) return 'q7';
  return `q${[1, 2, 3, 4, 5, 6].find((sixth) => value * 6 < greatest * sixth)}`;
}

function* claimsOf(attribs: Readonly<Record<string, string>>): Generator<[string, number | null]> {
  const { 'data-at': at, 'data-low': low, 'data-high': high } = attribs;
  const read = (text: string | undefined) => (text === undefined ? null : Number(text));
  if (at !== undefined) yield [at, read(attribs['data-value'])];
  if (low !== undefined) yield [low, read(attribs['data-low-value'])];
  if (high !== undefined) yield [high, read(attribs['data-high-value'])];
}

/** What the place or the size of a mark says; null where only its colour does. */
function drawnValue(element: XmlElement, above: readonly XmlElement[]) {
  const kind = above.findLast((one) => one.attribs['data-kind'] !== undefined)?.attribs['data-kind'];
  const pixels = pixelsOf(element, kind);
  if (kind === 'flow') {
    const unit = Number(
      above.findLast((one) => one.attribs['data-unit'] !== undefined)?.attribs['data-unit'],
    );
    return pixels === null ? null : { value: (pixels[0] ?? 0) / unit, tolerance: 0.011 / unit };
  }
  const scale = above.findLast((one) => one.attribs['data-scale'] !== undefined)?.attribs['data-scale'];
  if (scale === undefined || pixels === null) return null;
  const [from = 0, start = 0, to = 0, end = 0] = scale.split(' ').map(Number);
  const readAt = (pixel: number) => from + ((pixel - start) / (end - start)) * (to - from);
  const told = Number(element.attribs['data-value']);
  const values = pixels.map(readAt);
  const closest = values.reduce((one, other) =>
    Math.abs(one - told) < Math.abs(other - told) ? one : other,
  );
  // Pixels are written with two decimals.
  return { value: closest, tolerance: Math.abs(((to - from) / (end - start)) * 0.03) + 1e-9 };
}

function pixelsOf({ name, attribs }: XmlElement, kind: string | undefined): number[] | null {
  const number = (key: string) => Number(attribs[key]);
  if (kind === 'line') return name === 'circle' ? [number('cy')] : null;
  if (kind === 'interval') return name === 'circle' ? [number('cx')] : null;
  if (kind === 'bars') return name === 'rect' ? [number('x'), number('x') + number('width')] : null;
  if (kind === 'flow') return [number('data-thick')];
  return null;
}

function valueAt(answer: Json, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => (value as Json | null | undefined)?.[key], answer);
}

/** Cents are shown as the money that they are. */
function numberAt(answer: Json, path: string): number {
  const number = Number(valueAt(answer, path));
  return path.endsWith('_cents') ? number / 100 : number;
}

/** The first number of a text, as the country of the store writes it. */
function numberIn(text: string, decimalSign: string): number {
  const [first = ''] =
    text
      .replace(/[\u2212\u2010]/g, '-')
      .replace(/-[^\d\s]+(?=\d)/, '-')
      .match(/-?[\d\s\u00a0\u202f.,]*\d/) ?? [];
  const group = decimalSign === ',' ? /[\s\u00a0\u202f.]/g : /[\s\u00a0\u202f,]/g;
  return Number(first.replace(group, '').replace(decimalSign, '.'));
}

/** To the cent, or to the three digits that labels of rates have. */
function isSameNumber(said: number, told: number): boolean {
  return Math.abs(said - told) <= 0.005001 || Math.abs(said - told) <= Math.abs(told) * 0.0050001;
}
