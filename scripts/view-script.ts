import { fileURLToPath } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';

export const VIEW_SCRIPT_FILE = fileURLToPath(new URL('../src/charts/view-script.ts', import.meta.url));

/** The page speaks English, so it does not carry its words in the other languages. */
const englishOnly: Plugin = {
  name: 'english-only',
  transform: (code, id) =>
    /\/src\/messages\/pictures\.ts$/.test(id)
      ? code.replace(/\b(?:de|cs|fr): '(?:[^'\\]|\\.)*',?/g, '')
      : null,
};

/** The script of the page with a picture: src/charts/view and what it uses, as one text without types. */
export async function viewScript(): Promise<string> {
  await using bundle = await rolldown({
    input: fileURLToPath(new URL('../src/charts/view/view.ts', import.meta.url)),
    plugins: [englishOnly],
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true, comments: false });
  const [chunk] = output;
  return chunk.code.trim();
}

export function viewScriptFile(script: string): string {
  return `/** Made by \`npm run generate\` out of src/charts/view. */\nexport const VIEW_SCRIPT =\n  ${JSON.stringify(script)};\n`;
}
