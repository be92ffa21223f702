/** How many hours before an order a touch of a message may lie to be credited with it; 0: never. */
export const ATTRIBUTION_WINDOWS_H = { click: 168, open: 24, delivery: 0 } as const;

/** After these hours nothing more is credited to a message that nobody touches again. */
export const LONGEST_WINDOW_H = Math.max(...Object.values(ATTRIBUTION_WINDOWS_H));
