import { lookup } from 'node:dns/promises';
import { BlockList } from 'node:net';
import { normaliseClientMetadata } from './client-metadata.ts';

type Fetch = typeof globalThis.fetch;

/**
 * How the authorization server fetches what clients publish: their metadata documents and key sets. Only https on the
 * default port of a public address. This asks before a connection is made; oidc-provider's own guard, in `options`,
 * closes one that ends at a special-use address all the same, as when the name's address changes in between.
 */
export function createDocumentFetch(fetch: Fetch = globalThis.fetch): Fetch {
  return async (input, options) => {
    const url = new URL(String(input));
    await refusePrivate(url);
    const response = await fetchOrPinned(fetch, url, options);
    return response.status === 200 ? normalised(response) : response;
  };
}

/** @throws Error for what is not https on a public address */
export async function refusePrivate(url: URL): Promise<void> {
  if (url.protocol !== 'https:' || url.port !== '') throw new Error('not https on its default port');
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const addresses = await lookup(hostname, { all: true });
  for (const { address, family } of addresses) {
    if (SPECIAL_USE.check(address, family === 6 ? 'ipv6' : 'ipv4')) throw new Error('not a public address');
  }
}

/** The ranges of IANA's special-purpose address registries (RFC 6890) that are not global, and multicast. */
const SPECIAL_USE = blockList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
  '::/127',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'ff00::/8',
]);

function blockList(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), network.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

/**
 * Some hosts refuse their documents to data centres. A document of theirs as it was published stands in then; the live
 * one goes first.
 */
async function fetchOrPinned(fetch: Fetch, url: URL, options: RequestInit | undefined): Promise<Response> {
  const pinned = PINNED.find(({ client_id }) => client_id === url.href);
  if (pinned === undefined) return fetch(url, options);
  const live = await fetch(url, options).catch(() => null);
  if (live?.status === 200) return live;
  return Response.json({
    ...pinned,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
}

/** Read from public reports of the live documents, August to November 2026. */
const PINNED = [
  {
    client_id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
    client_name: 'Claude',
    redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
  },
  {
    client_id: 'https://claude.ai/oauth/claude-code-client-metadata',
    client_name: 'Claude Code',
    redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
  },
  {
    client_id: 'https://chatgpt.com/oauth/codex/client.json',
    client_name: 'Codex',
    redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
  },
  {
    client_id: 'https://vscode.dev/oauth/client-metadata.json',
    client_name: 'Visual Studio Code',
    redirect_uris: ['http://127.0.0.1:33418/', 'https://vscode.dev/redirect'],
  },
] as const;

const MOST_BYTES = 64 * 1024;

/** The document with its fields as the server takes them; a key set has none of them and stays as it is. */
async function normalised(response: Response): Promise<Response> {
  const text = await readLimited(response);
  const json: unknown = JSON.parse(text);
  const isMetadata = typeof json === 'object' && json !== null && 'client_id' in json;
  const headers = new Headers();
  for (const name of ['cache-control', 'expires', 'content-type']) {
    const value = response.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return new Response(JSON.stringify(isMetadata ? normaliseClientMetadata(json) : json), { headers });
}

async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_BYTES) throw new Error(`larger than ${MOST_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
