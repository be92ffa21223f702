/** With fewer delivered messages than this, the rates of a campaign are noise. */
export const LOW_VOLUME = { email: 500, sms: 200 } as const;
