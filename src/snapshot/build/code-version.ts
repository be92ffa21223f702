/** Made by `npm run generate` out of what scripts/build-code.ts names. */
export const CODE_VERSION = 'a53ead8b2f2a';
