import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withServer } from '../../../src/cli/connect/edit-settings.ts';
import type { Host } from '../host.ts';
import { entryOf } from '../written-entry.ts';

export const CODEX: Host = {
  name: '@openai/codex',
  version: '0.169.0',
  command: async ({ folder, home, modelUrl, mcpUrl, token }) => {
    const codexHome = join(home, '.codex');
    await mkdir(codexHome);
    await writeFile(
      join(codexHome, 'config.toml'),
      `model = "gpt-5.5"
model_provider = "mock"
approval_policy = "never"
check_for_update_on_startup = false

[model_providers.mock]
name = "mock"
base_url = "${modelUrl}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false

[otel]
exporter = "none"

${withServer('', { format: 'toml', servers: ['mcp_servers'] }, entryOf('codex', mcpUrl)).trimEnd()}
bearer_token_env_var = "STORESIGHT_TOKEN"
default_tools_approval_mode = "approve"
`,
    );
    return {
      program: process.execPath,
      args: [
        join(folder, 'node_modules', '@openai', 'codex', 'bin', 'codex.js'),
        'exec',
        '--skip-git-repo-check',
        '--sandbox',
        'read-only',
        'How is the shop?',
      ],
      env: { CODEX_HOME: codexHome, MOCK_KEY: 'none', STORESIGHT_TOKEN: token },
    };
  },
};
