/** How many hours before an order a touch of a message may lie to be credited with it; 0: never. */
export interface AttributionWindows {
  readonly click: number;
  /** The hours after an open in which an order is credited to an e-mail. Nobody sees who opens an SMS. */
  readonly open: number;
  /** The hours after the delivery of an SMS in which an order is credited to it. */
  readonly delivery: number;
}

/** The windows of a business that has set none. */
export const DEFAULT_WINDOWS: AttributionWindows = { click: 168, open: 24, delivery: 0 };

/** The longest window: ninety days. */
export const LONGEST_WINDOW_H = 2160;
