/** How many days (of 24 hours) after the submission of a popup something is taken to have come of it. */
export const POPUP_WINDOWS_D = {
  order: 7,
  /** The days until a double opt-in is confirmed. */
  subscription: 7,
  /** The days after that subscription in which people may unsubscribe again. */
  unsubscription: 30,
  firstOrder: 30,
} as const;
