import type { Host } from './host.ts';
import { CLAUDE_CODE } from './hosts/claude-code.ts';
import { CODEX } from './hosts/codex.ts';
import { COPILOT_CLI } from './hosts/copilot-cli.ts';
import { GEMINI_CLI } from './hosts/gemini-cli.ts';
import { OPENCODE } from './hosts/opencode.ts';

export const HOSTS: readonly Host[] = [CLAUDE_CODE, CODEX, GEMINI_CLI, OPENCODE, COPILOT_CLI];
