import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InputError } from '../../errors.ts';
import { PACKAGE_FOLDER } from '../../version.ts';
import { SOURCES } from '../all-sources.ts';
import type { Source } from '../source.ts';
import { mappedSource } from './mapped-source.ts';
import type { Mapping } from './mapping.ts';
import { readMapping } from './read-mapping.ts';

/** A mapping of a merchant: what it says, and the text that is remembered. */
export interface MappingText {
  readonly name: string;
  readonly text: string;
  readonly mapping: Mapping;
}

/** @throws InputError when the file is missing or wrong */
export function readMappingFile(path: string): MappingText {
  if (!existsSync(path))
    throw new InputError(`there is no mapping ${path}; \`storesight source map FILE\` writes one`);
  if (statSync(path).size > 2 ** 20) throw new InputError(`${path} is no mapping: it has more than 1 MiB`);
  return namedMapping(readFileSync(path, 'utf8'), basename(path));
}

/** @throws InputError when it is wrong */
export function namedMapping(text: string, file: string): MappingText {
  const mapping = readMapping(text, file);
  if (SOURCES.some(({ name }) => name === mapping.name))
    throw new InputError(
      `${file}: the name ${mapping.name} is that of a source which is built in; choose another`,
    );
  return { name: mapping.name, text, mapping };
}

/** Mappings that come with the product: data, like those of merchants. */
const SHIPPED_FOLDER = join(PACKAGE_FOLDER, 'mappings');

let shipped: readonly Source[] | null = null;

/** Whether a merchant gave the source as a mapping. Those that come with the product are what is built in. */
export function isOfMerchant(source: Source): boolean {
  return !SOURCES.includes(source) && !shippedSources().includes(source);
}

function shippedSources(): readonly Source[] {
  shipped ??= readdirSync(SHIPPED_FOLDER)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => mappedSource(readMapping(readFileSync(join(SHIPPED_FOLDER, name), 'utf8'), name)));
  return shipped;
}

/**
 * All sources, in the order in which a file is compared with them: what the merchant said comes before what
 * is built in, and what was said now before what was said before.
 *
 * @param remembered the settings of the business's sources, mappings among them
 */
export function knownSources(
  given: readonly MappingText[],
  remembered: ReadonlyMap<string, Readonly<Record<string, string>>>,
): Source[] {
  const own = new Map(given.map(({ name, mapping }) => [name, mappedSource(mapping)]));
  for (const [name, { mapping }] of remembered)
    if (mapping !== undefined && !own.has(name))
      own.set(name, mappedSource(readMapping(mapping, `the remembered mapping ${name}`)));
  return [...own.values(), ...SOURCES, ...shippedSources().filter(({ name }) => !own.has(name))];
}
