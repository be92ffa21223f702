import type { FigureWords, Value } from '../figure.ts';
import { escapeXml, round, tag, textWidth } from './svg.ts';

/** Part of a picture: its SVG, its height, and the places of its values. */
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
  /** The lines of text of a spot, made on demand: of thousands few are ever read. */
  readonly lines: () => readonly string[];
}

export interface Frame {
  readonly width: number;
  readonly words: FigureWords;
  /** Makes names unique in a page with several pictures. */
  readonly id: string;
  /**
   * The width left free at the ends of lines in every panel, so that the same month is at the same place in
   * all.
   */
  readonly aside?: number;
}

/** The attribute that says which number of the answer a mark shows. */
export function markOf({ at, value }: Value): Readonly<Record<string, string | number>> {
  return value === null ? { 'data-at': at } : { 'data-at': at, 'data-value': value };
}

/** The number of days or people that a row sums up, written behind its name. */
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

/**
 * What a rate is a part of, written behind its number.
 *
 * @param isNarrow there is no room to say what these are
 */
export function wholeAfter(
  { whole }: Value,
  { say }: FigureWords,
  isNarrow = false,
): { readonly svg: string; readonly width: number } {
  if (whole == null) return { svg: '', width: 0 };
  const said = ` ${say('picture.of-whole', { whole: isNarrow ? whole.short : whole.text })}`;
  return { svg: tag('tspan', { 'data-label': whole.at }, escapeXml(said)), width: textWidth(said) };
}

/** The text that a browser without scripts shows when the pointer is over a mark. */
export function titleOf(...lines: readonly string[]): string {
  return tag('title', {}, escapeXml(lines.join('\n')));
}

/** The scale from values to pixels. The picture contains it too, so that a test can compare both. */
export interface Scale {
  readonly from: number;
  readonly to: number;
  readonly pixel: (value: number) => number;
  readonly attribute: string;
}

/** A scale for the values and zero, since lengths are compared with each other. */
export function scaleOf(values: readonly number[], start: number, end: number, withZero = true): Scale {
  const known = withZero ? [...values, 0] : values;
  const [from, most] = [known.reduce((a, b) => Math.min(a, b)), known.reduce((a, b) => Math.max(a, b))];
  const to = most > from ? most : from + 1;
  const pixel = (value: number) => start + ((value - from) / (to - from)) * (end - start);
  return { from, to, pixel, attribute: [from, round(start), to, round(end)].join(' ') };
}

/** The colours repeat after six, then with hollow dots; dashes mean unfinished. */
export function colourOf(index: number): string {
  return `c${index % 6}${index >= 6 ? ' second' : ''}`;
}
