import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

export const VIEW_SCRIPT_FILE = fileURLToPath(new URL('../src/charts/view-script.ts', import.meta.url));

/** The script of the page with a picture: src/charts/view and what it uses, as one text without types. */
export async function viewScript(): Promise<string> {
  await using bundle = await rolldown({
    input: fileURLToPath(new URL('../src/charts/view/view.ts', import.meta.url)),
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true, comments: false });
  const [chunk] = output;
  return chunk.code.trim();
}

export function viewScriptFile(script: string): string {
  return `/** Made by \`npm run generate\` out of src/charts/view. */\nexport const VIEW_SCRIPT =\n  ${JSON.stringify(script)};\n`;
}
