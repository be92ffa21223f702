import type { ClientPackage } from './client-package.ts';
import { AI_SDK } from './packages/ai-sdk.ts';
import { GENAI } from './packages/genai.ts';
import { GENKIT } from './packages/genkit.ts';
import { INSPECTOR } from './packages/inspector.ts';
import { LANGCHAIN } from './packages/langchain.ts';
import { MASTRA } from './packages/mastra.ts';
import { MCP_REMOTE } from './packages/mcp-remote.ts';
import { MCPORTER } from './packages/mcporter.ts';
import { OFFICIAL } from './packages/official.ts';
import { OPENAI_AGENTS } from './packages/openai-agents.ts';

export const PACKAGES: readonly ClientPackage[] = [
  ...OFFICIAL,
  INSPECTOR,
  MCP_REMOTE,
  AI_SDK,
  LANGCHAIN,
  OPENAI_AGENTS,
  MASTRA,
  GENKIT,
  ...GENAI,
  MCPORTER,
];
