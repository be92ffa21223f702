/** How many hours before an order a touch of a message may lie to be credited with it; 0: never. */
export interface AttributionWindows {
  readonly click: number;
  /** Of an e-mail; nobody sees who opens an SMS. */
  readonly open: number;
  /** Of an SMS. */
  readonly delivery: number;
}

/** Of a business that has none of its own. */
export const DEFAULT_WINDOWS: AttributionWindows = { click: 168, open: 24, delivery: 0 };

/** Ninety days. */
export const LONGEST_WINDOW_H = 2160;
