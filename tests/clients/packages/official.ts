import {
  type ClientPackage,
  type ConnectedClient,
  type Constructor,
  calledAsIs,
  type Place,
} from '../client-package.ts';

/** Version 1 of the official client, in the versions that many hosts were built with, and version 2. */
export const OFFICIAL: readonly ClientPackage[] = [
  v1('1.32.2'),
  v1('1.10.2'),
  {
    name: '@modelcontextprotocol/client',
    version: '2.4.0',
    connect: async (place) => {
      const { Client, StreamableHTTPClientTransport } = await place.load('@modelcontextprotocol/client');
      return official(place, Client, StreamableHTTPClientTransport);
    },
  },
];

function v1(version: string): ClientPackage {
  return {
    name: '@modelcontextprotocol/sdk',
    version,
    connect: async (place) => {
      const { Client } = await place.load('@modelcontextprotocol/sdk/client/index.js');
      const { StreamableHTTPClientTransport } = await place.load(
        '@modelcontextprotocol/sdk/client/streamableHttp.js',
      );
      return official(place, Client, StreamableHTTPClientTransport);
    },
  };
}

async function official(place: Place, Client: Constructor, Transport: Constructor): Promise<ConnectedClient> {
  const { url, token, provider } = place;
  const options =
    token === null
      ? { authProvider: provider }
      : { requestInit: { headers: { Authorization: `Bearer ${token}` } } };
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new Transport(new URL(url), options));
  return {
    listTools: async () => {
      const { tools } = (await client.listTools()) as { tools: { name: string }[] };
      return tools.map(({ name }) => name);
    },
    callTool: async (name, args) => calledAsIs(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
}
