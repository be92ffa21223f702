import { readFileSync } from 'node:fs';

/** What package.json says of the product; server.json and the desktop bundle say the same. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly author: string;
  /** The name of the server in the registry of MCP servers. */
  readonly mcpName: string;
  readonly repository: { readonly type: string; readonly url: string };
  readonly homepage: string;
  readonly bugs: string;
  readonly keywords: readonly string[];
  readonly files: readonly string[];
}

export function readManifest(): Manifest {
  return JSON.parse(readFileSync('package.json', 'utf8'));
}

/** `https://github.com/owner/name`, which people can open. */
export function repositoryPage({ repository }: Manifest): string {
  return repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
}

/** What the program is told by the variable STORESIGHT_DATA, for people who choose it in an app. */
export const DATA_FOLDER =
  'Folder that holds the stores, the accounts and the answers. It is made when it is missing.';
