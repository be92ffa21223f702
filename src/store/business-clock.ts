/** A moment of UTC as the clock of the business shows it, by the session's variable. */
export const localTimeOf = (moment: string) =>
  `timezone(getvariable('business_timezone'), timezone('UTC', ${moment}))`;

/** The moment of UTC at which the clock of the business shows this. */
export const momentOf = (localTime: string) =>
  `timezone('UTC', timezone(getvariable('business_timezone'), ${localTime}))`;
