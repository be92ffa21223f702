/** Made by `npm run generate` out of what scripts/build-code.ts names. */
export const CODE_VERSION = '8c262b8586eb';
