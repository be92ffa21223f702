/** Made by `npm run generate` out of what scripts/build-code.ts names. */
export const CODE_VERSION = 'ee3193d7cc9a';
