/** The rates of a campaign with fewer delivered messages than this are noise. */
export const LOW_VOLUME = { email: 500, sms: 200 } as const;
