import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from '../host.ts';
import { entryOf } from '../written-entry.ts';

export const COPILOT_CLI: Host = {
  name: '@github/copilot',
  version: '1.0.102',
  command: async ({ folder, home, modelUrl, mcpUrl, token }) => {
    const servers = join(home, 'mcp.json');
    await writeFile(
      servers,
      JSON.stringify({
        mcpServers: {
          storesight: {
            ...entryOf('copilot', mcpUrl),
            headers: { Authorization: `Bearer ${token}` },
          },
        },
      }),
    );
    return {
      program: process.execPath,
      args: [
        join(folder, 'node_modules', '@github', 'copilot', 'npm-loader.js'),
        '--prompt',
        'How is the shop?',
        '--additional-mcp-config',
        `@${servers}`,
        '--disable-builtin-mcps',
        '--allow-all-tools',
        '--trust-folder',
        '--no-auto-update',
        '--no-color',
      ],
      env: {
        COPILOT_HOME: join(home, '.copilot'),
        COPILOT_OFFLINE: 'true',
        COPILOT_AUTO_UPDATE: 'false',
        COPILOT_PROVIDER_BASE_URL: modelUrl,
        COPILOT_PROVIDER_TYPE: 'anthropic',
        COPILOT_PROVIDER_API_KEY: 'none',
        COPILOT_MODEL: 'claude-sonnet-4.5',
      },
    };
  },
};
