/** Where people subscribe, in the words of the import format; of any other the source is unknown. */
export const SUBSCRIPTION_SOURCES = [
  'popup',
  'checkout',
  'registration',
  'form',
  'import',
  'api',
  'manual',
] as const;
