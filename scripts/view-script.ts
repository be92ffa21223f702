import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

export const VIEW_SCRIPT_FILE = fileURLToPath(new URL('../src/charts/view-script.ts', import.meta.url));

/** The script of the page with a picture: src/charts/view and what it uses, as one text without types. */
export async function viewScript(): Promise<string> {
  await using bundle = await rolldown({
    input: fileURLToPath(new URL('../src/charts/view/view.ts', import.meta.url)),
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true });
  const [chunk] = output;
  // It stands in a page: nothing in it may end the element that holds it.
  return chunk.code.trim().replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}

export function viewScriptFile(script: string): string {
  return `/** Made by \`npm run generate\` out of src/charts/view. */\nexport const VIEW_SCRIPT =\n  ${JSON.stringify(script)};\n`;
}
