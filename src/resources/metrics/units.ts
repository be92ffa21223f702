/** The units that names tell, so that definitions need not; the first that fits. */
const UNITS_OF_NAMES: readonly (readonly [RegExp, string])[] = [
  [/(^|_)(count|occurrences)$/, 'count'],
  [/rate|share|margin/, 'percent'],
  [/_cents$/, 'cents'],
  [/(number|position|index|rank|weekday)$/, 'ordinal'],
  [/_score$/, 'points'],
  [/revenue|price|value|cost|profit|monetary/, 'money'],
  [/frequency/, 'orders'],
  [/(^|_)days?(_|$)/, 'days'],
  [/_s$/, 'seconds'],
  [/_minutes$/, 'minutes'],
  [/_(h|hours)$/, 'hours'],
  [/hour$/, 'hour'],
];

/** The same in words, for the reader. */
export const UNITS_IN_WORDS =
  '`_count`, `_occurrences` how many; `rate`, `share`, `margin` percent; `_cents` cents; `revenue`, `price`, `value`, `cost`, ' +
  '`profit`, `monetary` money; `frequency` orders; `_score` points; `day`, `_s`, `_minutes`, `_h`, `_hours` time; ' +
  'others in brackets';

interface Defined {
  /** Without unit and full stop. */
  readonly definition: string;
  /** Null: neither the description nor the name tells it. */
  readonly unit: string | null;
  readonly isUnitInName: boolean;
}

/** Reads `Human opens. [opens]`. */
export function readDescription(name: string, description: string): Defined {
  const [, text = '', declared] = /^(.*?)\s*(?:\[([^\]]+)\])?$/s.exec(description) ?? [];
  const ofName = unitOfName(name);
  return {
    definition: text.replace(/\.$/, ''),
    unit: declared ?? ofName,
    // Of a count the definition says what is counted.
    isUnitInName: ofName !== null && (declared === undefined || declared === ofName || ofName === 'count'),
  };
}

function unitOfName(name: string): string | null {
  return UNITS_OF_NAMES.find(([pattern]) => pattern.test(name))?.[1] ?? null;
}
