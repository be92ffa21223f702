/** How many days (of 24 hours) after the submission of a popup something is taken to have come of it. */
export const POPUP_WINDOWS_D = {
  order: 7,
  /** Until a double opt-in is confirmed. */
  subscription: 7,
  /** After that subscription. */
  unsubscription: 30,
  firstOrder: 30,
} as const;
