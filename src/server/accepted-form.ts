/**
 * How a request may be answered: by one JSON document, by a stream of events, or by JSON unless a stream is
 * needed.
 */
export type Form = 'json' | 'stream' | 'either';

const TYPES = { json: 'application/json', stream: 'text/event-stream' } as const;

/** What a client is told that takes neither. */
export const NEITHER_FORM =
  `answers here are ${TYPES.json} or ${TYPES.stream}, and the Accept header of the request takes neither; ` +
  `send Accept: ${TYPES.json}, ${TYPES.stream}`;

/**
 * The form that a request accepts, by its quality values (RFC 9110, 12.5.1); null when it takes neither.
 * Where both are as good it is JSON: what is asked here is answered at once, and some clients say that they
 * read streams and do not.
 *
 * @param accept the header of the request; without one, everything is accepted
 */
export function acceptedForm(accept: string | null): Form | null {
  const ranges = (accept ?? '').split(',').flatMap((text) => readRange(text) ?? []);
  if (ranges.length === 0) return 'either';
  const [json, stream] = [qualityOf(TYPES.json, ranges), qualityOf(TYPES.stream, ranges)];
  if (json === 0 && stream === 0) return null;
  if (stream > json) return 'stream';
  return stream === 0 ? 'json' : 'either';
}

interface Range {
  readonly type: string;
  readonly quality: number;
}

/** It is null for an empty element of the list, which means nothing. */
function readRange(text: string): Range | null {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  if (type === '') return null;
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
  const quality = weight === undefined ? 1 : Number(weight.slice(weight.indexOf('=') + 1));
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 1 };
}

/** The range that says most about the type counts: its name, then its kind, then everything. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const [kind] = type.split('/');
  for (const name of [type, `${kind}/*`, '*/*']) {
    const named = ranges.filter((range) => range.type === name);
    if (named.length > 0) return Math.max(...named.map(({ quality }) => quality));
  }
  return 0;
}
