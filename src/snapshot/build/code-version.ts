/** Made by `npm run generate` out of what scripts/build-code.ts names. */
export const CODE_VERSION = 'f1dd3ee165fd';
