import { join } from 'node:path';

/**
 * The machine whose settings are written: its system, the person's home folder, and environment variables.
 */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * What a client is told: where the server is, or which command speaks MCP for clients that only start
 * commands.
 */
export interface Server {
  readonly url: string;
  readonly command: {
    readonly command: string;
    readonly args: string[];
    readonly env: Record<string, string>;
  };
}

/** An app that speaks MCP, and where its settings name the servers. */
export interface ClientApp {
  readonly id: string;
  readonly name: string;
  readonly file: (machine: Machine) => string;
  /** The way from the root of the file to the object with a key for each server. */
  readonly servers: readonly string[];
  readonly format: 'json' | 'toml';
  readonly entry: (server: Server) => Record<string, unknown>;
  /** What a person does afterwards. */
  readonly next: string;
}

const SIGN_IN = 'choose storesight and sign in';

export const CLIENT_APPS: readonly ClientApp[] = [
  {
    id: 'claude-code',
    name: 'Claude Code',
    file: ({ home, env }) => join(env.CLAUDE_CONFIG_DIR ?? home, '.claude.json'),
    servers: ['mcpServers'],
    format: 'json',
    entry: ({ url }) => ({ type: 'http', url }),
    next: `Start claude, type /mcp, ${SIGN_IN}.`,
  },
  {
    id: 'claude-desktop',
    name: 'Claude Desktop',
    file: (machine) => join(appData(machine, 'Claude'), 'claude_desktop_config.json'),
    servers: ['mcpServers'],
    format: 'json',
    // Its settings file takes commands alone; servers at an address are added in its window, from where
    // Anthropic's servers reach them.
    entry: ({ command }) => command,
    next: 'Quit Claude and start it again. It reads the stores of this data folder without signing in.',
  },
  {
    id: 'vscode',
    name: 'VS Code',
    file: (machine) => join(appData(machine, 'Code'), 'User', 'mcp.json'),
    servers: ['servers'],
    format: 'json',
    entry: ({ url }) => ({ type: 'http', url }),
    next: `Run "MCP: List Servers" from the command palette, ${SIGN_IN}.`,
  },
  {
    id: 'cursor',
    name: 'Cursor',
    file: ({ home }) => join(home, '.cursor', 'mcp.json'),
    servers: ['mcpServers'],
    format: 'json',
    entry: ({ url }) => ({ url }),
    next: "Open Cursor's list of MCP servers, switch storesight on and sign in.",
  },
  {
    id: 'codex',
    name: 'Codex',
    file: ({ home, env }) => join(env.CODEX_HOME ?? join(home, '.codex'), 'config.toml'),
    servers: ['mcp_servers'],
    format: 'toml',
    entry: ({ url }) => ({ url }),
    next: 'Run `codex mcp login storesight`, which opens the browser.',
  },
  {
    id: 'gemini',
    name: 'Gemini CLI',
    file: ({ home }) => join(home, '.gemini', 'settings.json'),
    servers: ['mcpServers'],
    format: 'json',
    entry: ({ url }) => ({ httpUrl: url }),
    next: 'Start gemini and type `/mcp auth storesight`, which opens the browser.',
  },
  {
    id: 'copilot',
    name: 'Copilot CLI',
    file: ({ home, env }) => join(env.COPILOT_HOME ?? join(home, '.copilot'), 'mcp-config.json'),
    servers: ['mcpServers'],
    format: 'json',
    entry: ({ url }) => ({ type: 'http', url, tools: ['*'] }),
    next: `Start copilot, type /mcp, ${SIGN_IN}.`,
  },
  {
    id: 'opencode',
    name: 'opencode',
    file: ({ home, env }) => join(env.XDG_CONFIG_HOME ?? join(home, '.config'), 'opencode', 'opencode.json'),
    servers: ['mcp'],
    format: 'json',
    entry: ({ url }) => ({ type: 'remote', url, enabled: true }),
    next: 'Run `opencode mcp auth storesight`, which opens the browser.',
  },
  {
    id: 'qwen',
    name: 'Qwen Code',
    file: ({ home }) => join(home, '.qwen', 'settings.json'),
    servers: ['mcpServers'],
    format: 'json',
    entry: ({ url }) => ({ httpUrl: url }),
    next: 'Start qwen and type `/mcp auth storesight`, which opens the browser.',
  },
  {
    id: 'windsurf',
    name: 'Windsurf',
    file: ({ home }) => join(home, '.codeium', 'windsurf', 'mcp_config.json'),
    servers: ['mcpServers'],
    format: 'json',
    entry: ({ url }) => ({ serverUrl: url }),
    next: "Refresh Windsurf's list of MCP servers and sign in.",
  },
];

/** The folder in which desktop apps keep their settings. */
function appData({ platform, home, env }: Machine, app: string): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', app);
  if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), app);
  return join(env.XDG_CONFIG_HOME ?? join(home, '.config'), app);
}
