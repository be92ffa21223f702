import { registerHooks } from 'node:module';

declare global {
  var hasPlainImports: boolean | undefined;
}

/**
 * Vitest tells its main process of each import of our own files, for its watch mode: some thousand messages
 * for each worker, which cost about as much as loading the modules. It has no setting for this, so imports of
 * a file beside are resolved before it hears of them.
 */
if (!globalThis.hasPlainImports) {
  globalThis.hasPlainImports = true;
  registerHooks({
    resolve: (specifier, context, next) =>
      /^\.\.?\/.*\.ts$/.test(specifier) && context.parentURL?.startsWith('file:')
        ? { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
        : next(specifier, context),
  });
}
