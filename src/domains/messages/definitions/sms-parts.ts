/**
 * How many characters an SMS holds in one part, and in each part of several. GSM-7 is the alphabet of GSM
 * 03.38; one character that is not in it makes the whole message UCS-2.
 */
export const SMS_PARTS = {
  gsm7: { single: 160, each: 153 },
  ucs2: { single: 70, each: 67 },
} as const;
