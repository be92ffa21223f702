import type { ClientPackage } from './client-package.ts';
import { AI_SDK } from './packages/ai-sdk.ts';
import { LANGCHAIN } from './packages/langchain.ts';
import { MCP_REMOTE } from './packages/mcp-remote.ts';
import { MCPORTER } from './packages/mcporter.ts';
import { OFFICIAL } from './packages/official.ts';

export const PACKAGES: readonly ClientPackage[] = [...OFFICIAL, MCP_REMOTE, AI_SDK, LANGCHAIN, MCPORTER];
