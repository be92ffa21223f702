/** A number to which normal noise was added. */
export interface Noisy {
  readonly shown: number;
  /** The standard deviation of the noise. */
  readonly error: number;
}

export interface NoisyRatio {
  readonly shown: number;
  readonly from_value: number;
  readonly to_value: number;
}

/** 19 of 20 draws are within this many deviations. */
const WITHIN = 2;

/**
 * The ratio of two numbers whose noises are independent, with the interval in which 19 of 20 true ones lie:
 * all ratios that the two numbers do not contradict (Fieller 1954). Null where the divisor cannot be told
 * from 0.
 */
export function ratioOfNoisy(part: Noisy, whole: Noisy): NoisyRatio | null {
  const [ofPart, ofWhole] = [(WITHIN * part.error) ** 2, (WITHIN * whole.error) ** 2];
  const certain = whole.shown ** 2 - ofWhole;
  if (whole.shown <= 0 || certain <= 0) return null;
  const spread = Math.sqrt(
    Math.max(0, ofPart * whole.shown ** 2 + ofWhole * part.shown ** 2 - ofPart * ofWhole),
  );
  const middle = part.shown * whole.shown;
  return {
    shown: part.shown / whole.shown,
    from_value: Math.max(0, (middle - spread) / certain),
    to_value: (middle + spread) / certain,
  };
}
