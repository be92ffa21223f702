import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { Temporal } from 'temporal-polyfill';
import { readBusinessId, requireAssigned } from '../asking/check-access.ts';
import type { ToolEnvironment } from '../asking/run-tool.ts';
import type { Business } from '../business/business.ts';
import type { ExtensionName } from '../business/extensions.ts';
import type { SnapshotFacts } from '../business/snapshot-facts.ts';
import type { GroupName } from '../business/tool-groups.ts';
import type { Caller } from '../control/people/callers.ts';
import { EXTENSION_PROMPTS, PROMPTS } from '../prompts/all-prompts.ts';
import type { PromptContext } from '../prompts/default-range.ts';
import { type Prompt, readPromptArguments } from '../prompts/prompt.ts';
import { suggest } from './completion.ts';
import { answerLogged, shorten } from './public-error.ts';

/** Questions to pick, and what may stand in their arguments. */
export function handlePrompts(
  server: Server,
  {
    groups,
    extensions,
  }: { readonly groups: readonly GroupName[]; readonly extensions: readonly ExtensionName[] },
  environment: ToolEnvironment,
  caller: Caller,
  log: Logger,
): void {
  const offered = [...PROMPTS, ...EXTENSION_PROMPTS].filter(
    ({ groups: needed, extension }) =>
      needed.every((group) => groups.includes(group)) &&
      (extension === undefined || extensions.includes(extension)),
  );
  server.setRequestHandler('prompts/list', () => ({ prompts: offered.map(listed) }));
  server.setRequestHandler('prompts/get', ({ params }) => {
    const prompt = findPrompt(offered, params.name);
    return answerLogged(log, 'prompt', { prompt: prompt.name, caller: caller.name }, async () => ({
      description: prompt.description,
      messages: [
        {
          role: 'user' as const,
          content: {
            type: 'text' as const,
            text: await promptText(prompt, environment, caller, params.arguments ?? {}),
          },
        },
      ],
    }));
  });
  server.setRequestHandler('completion/complete', ({ params: { ref, argument, context } }, { mcpReq }) => {
    if (ref.type !== 'ref/prompt') {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There are no resource templates to complete');
    }
    const prompt = findPrompt(offered, ref.name);
    const facts = { prompt: prompt.name, argument: argument.name, caller: caller.name };
    const suggestions = prompt.arguments[argument.name]?.suggestions;
    if (suggestions === undefined) return { completion: { values: [] } };
    const question = { suggestions, typed: argument.value, business_id: context?.arguments?.business_id };
    const asker = { environment, caller, signal: mcpReq.signal };
    return answerLogged(
      log,
      'completion',
      facts,
      async () => ({ completion: { ...(await suggest(question, asker)) } }),
      mcpReq.signal,
    );
  });
}

function listed({ name, title, description, arguments: declared }: Prompt) {
  return {
    name,
    title,
    description,
    arguments: Object.entries(declared).map(([argument, { description, required = false }]) => ({
      name: argument,
      description,
      required,
    })),
  };
}

function findPrompt(offered: readonly Prompt[], name: string): Prompt {
  const prompt = offered.find((candidate) => candidate.name === name);
  if (prompt !== undefined) return prompt;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${shorten(name)}`);
}

async function promptText(
  prompt: Prompt,
  environment: ToolEnvironment,
  caller: Caller,
  given: Readonly<Record<string, string>>,
): Promise<string> {
  const args = readPromptArguments(prompt, given);
  return prompt.message(args, await promptContext(environment, caller, args.business_id));
}

async function promptContext(
  environment: ToolEnvironment,
  caller: Caller,
  business_id: string | undefined,
): Promise<PromptContext> {
  const business = await findBusiness(caller, business_id);
  const today = Temporal.Now.plainDateISO(business?.timezone ?? 'UTC').toString();
  return { today, facts: business && (await readableFacts(environment, caller, business)) };
}

/**
 * The business that is named, or the only one; null where there are several.
 *
 * @throws InputError when the caller may not read the business
 */
async function findBusiness(caller: Caller, business_id: string | undefined): Promise<Business | null> {
  const id = business_id === undefined ? undefined : readBusinessId(business_id);
  if (id !== undefined) await requireAssigned(caller, id);
  const [only, ...others] = (await caller.businesses()).filter(
    (assigned) => id === undefined || assigned.business_id === id,
  );
  return only !== undefined && others.length === 0 ? only : null;
}

/** Until when data are loaded, for those who may read numbers. */
async function readableFacts(
  environment: ToolEnvironment,
  caller: Caller,
  { business_id }: Business,
): Promise<SnapshotFacts | null> {
  const held = await caller.permissionsOn(business_id);
  if (!held?.includes('DISPLAY_ANALYTICS_DASHBOARD')) return null;
  return (await environment.findServed(business_id))?.facts ?? null;
}
