import { InputError } from '../errors.ts';

/** What a connection can add to the tools of the contract, by the names with which it is chosen. */
export const EXTENSIONS = { insights: 'Insights', sql: 'SQL' } as const;

export type ExtensionName = keyof typeof EXTENSIONS;
export type ExtensionTitle = (typeof EXTENSIONS)[ExtensionName];

const ALL_EXTENSIONS = Object.keys(EXTENSIONS) as readonly ExtensionName[];

/**
 * A server has these only where an operator names them, and then a connection that asks for them, and no
 * other.
 */
const ALLOWED_FIRST: readonly ExtensionName[] = ['sql'];

/**
 * `insights`: these extensions, and those that every connection has.
 *
 * @param served to every connection, or allowed on those that ask
 * @throws InputError when one does not exist, or is not allowed
 */
export function readExtensions(
  text: string | null,
  served: readonly ExtensionName[] = [],
): readonly ExtensionName[] {
  const names = namedExtensions(text ?? '');
  const refused = names.find((name) => ALLOWED_FIRST.includes(name) && !served.includes(name));
  if (refused !== undefined) {
    throw new InputError(
      `the extension ${refused} is not allowed on this server; whoever runs it can allow it with STORESIGHT_EXTENSIONS=${[...served, refused].join(',')}`,
    );
  }
  const isOnAll = (extension: ExtensionName) =>
    served.includes(extension) && !ALLOWED_FIRST.includes(extension);
  return ALL_EXTENSIONS.filter((extension) => isOnAll(extension) || names.includes(extension));
}

/**
 * Reads the extensions that an operator serves and allows.
 *
 * @throws InputError when one does not exist
 */
export function namedExtensions(text: string): readonly ExtensionName[] {
  const names = text.split(',').flatMap((name) => name.trim() || []);
  const unknown = names.find((name) => !ALL_EXTENSIONS.some((extension) => extension === name));
  if (unknown !== undefined) {
    throw new InputError(
      `there is no extension ${unknown.slice(0, 60)}; extensions are ${ALL_EXTENSIONS.join(', ')}`,
    );
  }
  return ALL_EXTENSIONS.filter((extension) => names.includes(extension));
}
