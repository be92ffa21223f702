/** Made by `npm run generate` out of what scripts/build-code.ts names. */
export const CODE_VERSION = 'ebf5039f5c5c';
