/** Where people subscribe, in the words of the import format. The source of any other word is unknown. */
export const SUBSCRIPTION_SOURCES = [
  'popup',
  'checkout',
  'registration',
  'form',
  'import',
  'api',
  'manual',
] as const;
