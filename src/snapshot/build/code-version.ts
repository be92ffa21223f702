/** Made by `npm run generate` out of what scripts/build-code.ts names. */
export const CODE_VERSION = 'e7958f5d8e6f';
