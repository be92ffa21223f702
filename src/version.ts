import { createRequire } from 'node:module';
import { dirname } from 'node:path';

const require = createRequire(import.meta.url);
const manifest = require('#package.json') as { version: string };

/** The version of this package. */
export const VERSION = manifest.version;

/** Where this package lies: in the checkout, or where it was installed. */
export const PACKAGE_FOLDER = dirname(require.resolve('#package.json'));
