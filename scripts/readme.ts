import { CATALOGUE } from '../src/catalogue.ts';

/** README with how many tools there are. @param text its own, before or after a change of the tools */
export function readmeOf(text: string): string {
  return text.replace(/\b\d+ tools\b/g, `${CATALOGUE.length} tools`);
}
