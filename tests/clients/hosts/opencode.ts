import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from '../host.ts';
import { entryOf } from '../written-entry.ts';

export const OPENCODE: Host = {
  name: 'opencode-ai',
  version: '1.18.33',
  command: async ({ folder, home, modelUrl, mcpUrl, token }) => {
    const config = join(home, 'opencode.json');
    await writeFile(
      config,
      JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        model: 'anthropic/claude-sonnet-4-5',
        small_model: 'anthropic/claude-sonnet-4-5',
        enabled_providers: ['anthropic'],
        provider: {
          anthropic: {
            npm: '@ai-sdk/anthropic',
            options: { baseURL: `${modelUrl}/v1`, apiKey: 'none' },
            models: {
              'claude-sonnet-4-5': { tool_call: true, limit: { context: 200_000, output: 8_000 } },
            },
          },
        },
        mcp: {
          storesight: {
            ...entryOf('opencode', mcpUrl),
            oauth: false,
            headers: { Authorization: `Bearer ${token}` },
          },
        },
        permission: { '*': 'allow' },
      }),
    );
    return {
      program: join(
        folder,
        'node_modules',
        `opencode-${process.platform}-${process.arch}`,
        'bin',
        'opencode',
      ),
      args: ['run', '--pure', 'How is the shop?'],
      env: {
        OPENCODE_CONFIG: config,
        OPENCODE_DISABLE_AUTOUPDATE: 'true',
        OPENCODE_DISABLE_MODELS_FETCH: 'true',
        OPENCODE_DISABLE_LSP_DOWNLOAD: 'true',
        OPENCODE_DISABLE_DEFAULT_PLUGINS: 'true',
      },
    };
  },
};
