/** What an agent's context pays for each tool, resource and prompt, in tokens estimated as a quarter of the bytes. */
import { CATALOGUE } from '../src/catalogue.ts';
import { INSTRUCTIONS } from '../src/mcp/instructions.ts';
import { listTools } from '../src/mcp/tool-list.ts';
import { RESOURCES } from '../src/resources/all-resources.ts';

const tokens = (text: string) => Math.ceil(Buffer.byteLength(text) / 4);

const tools = listTools(CATALOGUE);
const list = JSON.stringify({ tools });
const rows = [
  ...tools.map((tool) => [tool.name, tokens(JSON.stringify(tool))] as const),
  ['tools/list', tokens(list)] as const,
  ['instructions', tokens(INSTRUCTIONS)] as const,
  ...RESOURCES.map(({ uri, text }) => [uri, tokens(text)] as const),
];
for (const [name, count] of rows) console.log(`${String(count).padStart(6)} ${name}`);
