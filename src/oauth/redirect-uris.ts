import { isLoopback } from '../network/loopback.ts';

const MOST = 20;
const LONGEST = 1000;

/**
 * VS Code and its relatives give each of their extensions an address:
 * `cursor://anysphere.cursor-mcp/oauth/callback`.
 */
const EDITORS = 'cursor vscode vscode-insiders vscodium windsurf windsurf-next kiro trae antigravity'.split(
  ' ',
);
/** The extensions that are refused: their addresses clone a repository or install a server. */
const COMMANDS = /^(vscode\.|anysphere\.cursor-deeplink$)/i;

/** Where other apps were seen to expect their answer; other addresses of theirs are commands. */
const APPS = ['claude://claude.ai/', 'raycast://oauth', 'warp://mcp/'];

const ALLOWED =
  'https URLs, http URLs of a loopback address, URIs of a reverse domain such as com.example.app:/callback, or those ' +
  `of a known app (${APPS.join(', ')}, or an extension of ${EDITORS.join(', ')})`;

/** What is wrong with an app's list of them, as the end of a sentence; null when nothing is. */
export function whatIsWrongWith(uris: readonly unknown[]): string | null {
  if (uris.length > MOST) return `must be at most ${MOST}`;
  for (const uri of uris) {
    const url = typeof uri === 'string' && uri.length <= LONGEST ? URL.parse(uri) : null;
    // What one reader of URLs takes for another address than the next one, and what looks like a pattern.
    if (url === null || !/^[!-[\]-~]+$/.test(String(uri)) || url.host.includes('*')) {
      return `must be absolute URIs in ASCII, without patterns, of at most ${LONGEST} characters`;
    }
    if (!leadsToAnApp(url)) return `must be ${ALLOWED}`;
    if (url.username !== '' || url.password !== '') return 'must not name a user or a password';
  }
  return null;
}

/**
 * Whether a browser may be sent there. A list of what is allowed, not of what is dangerous: every program
 * that is installed on a person's device can take a scheme for commands (`ms-msdt:`, `shell:`,
 * `itms-services:`).
 */
export function leadsToAnApp({ protocol, hostname, href }: URL): boolean {
  const scheme = protocol.slice(0, -1);
  if (scheme === 'https') return true;
  if (scheme === 'http') return isLoopback(hostname);
  if (EDITORS.includes(scheme)) return /^[\w-]+\.[\w-]+$/.test(hostname) && !COMMANDS.test(hostname);
  // RFC 8252 (7.1): a domain that the app's maker owns, the other way round.
  return /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+$/.test(scheme) || APPS.some((start) => href.startsWith(start));
}
