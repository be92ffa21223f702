import { DATA_FOLDER, type Manifest, readManifest, repositoryPage } from './manifest.ts';

export const SERVER_JSON = 'server.json';

/** The schema of the registry of MCP servers. */
const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** The entry in the registry of MCP servers: which npm package it is, and how an app starts it. */
export function serverJson(manifest: Manifest = readManifest()): string {
  const entry = {
    $schema: SCHEMA,
    name: manifest.mcpName,
    title: 'Storesight',
    description: manifest.description,
    repository: { url: repositoryPage(manifest), source: 'github' },
    websiteUrl: manifest.homepage,
    version: manifest.version,
    packages: [
      {
        registryType: 'npm',
        identifier: manifest.name,
        version: manifest.version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [{ type: 'positional', value: 'stdio' }],
        environmentVariables: [
          { name: 'STORESIGHT_DATA', description: DATA_FOLDER, format: 'filepath', isRequired: true },
        ],
      },
    ],
  };
  return `${JSON.stringify(entry, null, 2)}\n`;
}
