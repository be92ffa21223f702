import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from '../host.ts';
import { entryOf } from '../written-entry.ts';

export const CLAUDE_CODE: Host = {
  name: '@anthropic-ai/claude-code',
  version: '2.1.332',
  command: async ({ folder, home, modelUrl, mcpUrl, token }) => {
    const servers = join(home, 'mcp.json');
    await writeFile(
      servers,
      JSON.stringify({
        mcpServers: {
          storesight: { ...entryOf('claude-code', mcpUrl), headers: { Authorization: `Bearer ${token}` } },
        },
      }),
    );
    return {
      // Its package starts the program that lies in the package of the platform.
      program: process.execPath,
      args: [
        join(folder, 'node_modules', '@anthropic-ai', 'claude-code', 'cli-wrapper.cjs'),
        '--print',
        'How is the shop?',
        '--mcp-config',
        servers,
        '--strict-mcp-config',
        '--allowedTools',
        'mcp__storesight',
      ],
      env: {
        ANTHROPIC_BASE_URL: modelUrl,
        ANTHROPIC_API_KEY: 'none',
        CLAUDE_CONFIG_DIR: join(home, '.claude'),
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_TELEMETRY: '1',
        DISABLE_ERROR_REPORTING: '1',
      },
    };
  },
};
