/**
 * Fails where a file is not what `npm run generate` makes of the code, as far as no tool needs to be asked
 * for that.
 */
import { staleFiles } from './generated-files.ts';

const stale = await staleFiles();
if (stale.length > 0) {
  console.error(`not what the code makes, run \`npm run generate\`: ${stale.join(', ')}`);
  process.exitCode = 1;
}
