import { InputError } from '../errors.ts';

/** What a connection can add to the tools of the contract, by the names with which it is chosen. */
export const EXTENSIONS = { insights: 'Insights' } as const;

export type ExtensionName = keyof typeof EXTENSIONS;
export type ExtensionTitle = (typeof EXTENSIONS)[ExtensionName];

const ALL_EXTENSIONS = Object.keys(EXTENSIONS) as readonly ExtensionName[];

/**
 * `insights`: these extensions, and those that every connection has.
 *
 * @param served to every connection
 * @throws InputError when one does not exist
 */
export function readExtensions(
  text: string | null,
  served: readonly ExtensionName[] = [],
): readonly ExtensionName[] {
  const names = (text ?? '').split(',').flatMap((name) => name.trim() || []);
  const unknown = names.find((name) => !ALL_EXTENSIONS.some((extension) => extension === name));
  if (unknown !== undefined) {
    throw new InputError(
      `there is no extension ${unknown.slice(0, 60)}; extensions are ${ALL_EXTENSIONS.join(', ')}`,
    );
  }
  return ALL_EXTENSIONS.filter((extension) => served.includes(extension) || names.includes(extension));
}
