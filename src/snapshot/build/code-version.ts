/** Made by `npm run generate` out of what scripts/build-code.ts names. */
export const CODE_VERSION = '1aa7416f473c';
