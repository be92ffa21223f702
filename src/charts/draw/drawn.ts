import type { FigureWords, Value } from '../figure.ts';
import { escapeXml, round, tag, textWidth } from './svg.ts';

/** Part of a picture: its SVG, how high it is, and where its values are. */
export interface Drawn {
  readonly svg: string;
  readonly height: number;
  /** The spots in the order in which a keyboard goes through them. */
  readonly spots: readonly Spot[];
}

/** A place of the picture that shows its value when the pointer is over it. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The lines of text of a spot, made when they are asked for: of thousands few ever are. */
  readonly lines: () => readonly string[];
}

export interface Frame {
  readonly width: number;
  readonly words: FigureWords;
  /** Makes names unique in a page with several pictures. */
  readonly id: string;
  /** Left free beside lines, for what stands at the ends of those of any panel: the same month is at the same place in all. */
  readonly aside?: number;
}

/** The number of the answer that a mark shows. */
export function markOf({ at, value }: Value): Readonly<Record<string, string | number>> {
  return value === null ? { 'data-at': at } : { 'data-at': at, 'data-value': value };
}

/** How many days a row is the sum of, or people it is of, behind its name. */
export function timesAfter(
  times: Value | null | undefined,
  isOfPeople = false,
): { readonly svg: string; readonly width: number } {
  if (times == null) return { svg: '', width: 0 };
  const said = timesText(times, isOfPeople);
  return { svg: tag('tspan', { 'data-label': times.at }, escapeXml(said)), width: textWidth(said) };
}

export function timesText({ short }: Value, isOfPeople = false): string {
  return ` (${short}${isOfPeople ? '' : '×'})`;
}

/** What a rate is a part of, behind its number. @param isNarrow there is no room to say what these are */
export function wholeAfter(
  { whole }: Value,
  { say }: FigureWords,
  isNarrow = false,
): { readonly svg: string; readonly width: number } {
  if (whole == null) return { svg: '', width: 0 };
  const said = ` ${say('picture.of-whole', { whole: isNarrow ? whole.short : whole.text })}`;
  return { svg: tag('tspan', { 'data-label': whole.at }, escapeXml(said)), width: textWidth(said) };
}

/** What a browser without scripts shows of a mark that is pointed at. */
export function titleOf(...lines: readonly string[]): string {
  return tag('title', {}, escapeXml(lines.join('\n')));
}

/** The scale from values to pixels. The picture says it too, so that both can be compared. */
export interface Scale {
  readonly from: number;
  readonly to: number;
  readonly pixel: (value: number) => number;
  readonly attribute: string;
}

/** The values, and zero: lengths are compared with each other. */
export function scaleOf(values: readonly number[], start: number, end: number, withZero = true): Scale {
  const known = withZero ? [...values, 0] : values;
  const [from, most] = [known.reduce((a, b) => Math.min(a, b)), known.reduce((a, b) => Math.max(a, b))];
  const to = most > from ? most : from + 1;
  const pixel = (value: number) => start + ((value - from) / (to - from)) * (end - start);
  return { from, to, pixel, attribute: [from, round(start), to, round(end)].join(' ') };
}

/** The colours repeat after six, then with hollow dots; dashes say what is not over. */
export function colourOf(index: number): string {
  return `c${index % 6}${index >= 6 ? ' second' : ''}`;
}
