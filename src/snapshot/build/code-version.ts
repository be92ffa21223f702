/** Made by `npm run generate` out of what scripts/build-code.ts names. */
export const CODE_VERSION = '28b75cf2893b';
