import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Host } from '../host.ts';
import { entryOf } from '../written-entry.ts';

export const GEMINI_CLI: Host = {
  name: '@google/gemini-cli',
  version: '0.61.0',
  command: async ({ folder, home, modelUrl, mcpUrl, token }) => {
    await mkdir(join(home, '.gemini'));
    await writeFile(
      join(home, '.gemini', 'settings.json'),
      JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        mcpServers: {
          storesight: {
            ...entryOf('gemini', mcpUrl),
            headers: { Authorization: `Bearer ${token}` },
            trust: true,
          },
        },
      }),
    );
    return {
      program: process.execPath,
      args: [
        join(folder, 'node_modules', '@google', 'gemini-cli', 'bundle', 'gemini.js'),
        '--skip-trust',
        '--yolo',
        '--model',
        'gemini-2.5-pro',
        '--prompt',
        'How is the shop?',
      ],
      env: {
        GEMINI_API_KEY: 'none',
        GOOGLE_GEMINI_BASE_URL: modelUrl,
        GEMINI_CLI_TRUST_WORKSPACE: 'true',
        NO_BROWSER: 'true',
      },
    };
  },
};
