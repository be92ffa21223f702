import type { Tool } from '../answers/tool.ts';
import { type Arguments, runTool, type ToolEnvironment } from '../asking/run-tool.ts';
import type { Caller } from '../control/people/callers.ts';
import { listCampaigns } from '../domains/campaigns/tools/list-campaigns.ts';
import { listRfmProfiles } from '../domains/rfm/tools/list-rfm-profiles.ts';
import { listSegments } from '../domains/segments/tools/list-segments.ts';
import { InputError } from '../errors.ts';
import type { Suggestions } from '../prompts/prompt.ts';
import { searchable } from '../sql/search.ts';

interface Question {
  readonly suggestions: Suggestions;
  /** The argument as far as it is typed. */
  readonly typed: string;
  /** The business that was given for another argument of the same prompt. */
  readonly business_id: string | undefined;
}

interface Asker {
  readonly environment: ToolEnvironment;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** What somebody may mean; the id is what arguments take, the name is what people know. */
interface Candidate {
  readonly id: string;
  readonly name: string;
}

/** The limit of the protocol. */
const MOST_VALUES = 100;

/** Nobody types more than this. A hundred suggestions for a list repeat what is typed of it each. */
const LONGEST_TYPED = 2000;

/** What the argument could be: the beginning of an id, or a part of a name, finds it. */
export async function suggest(question: Question, asker: Asker) {
  const { suggestions, typed } = question;
  if (typed.length > LONGEST_TYPED) return { values: [], hasMore: false };
  // The last one of a list is being typed.
  const [before, text] = suggestions === 'email_campaigns' ? splitAtLastComma(typed) : ['', typed];
  const part = searchable(text.trim());
  const fits = ({ id, name }: Candidate) =>
    id.toLowerCase().startsWith(part) || searchable(name).includes(part);
  const found = (await candidates(question, asker)).filter(fits).map(({ id }) => `${before}${id}`);
  return { values: found.slice(0, MOST_VALUES), hasMore: found.length > MOST_VALUES };
}

function splitAtLastComma(typed: string): [before: string, text: string] {
  const end = typed.lastIndexOf(',') + 1;
  return [typed.slice(0, end), typed.slice(end)];
}

async function candidates({ suggestions, business_id }: Question, asker: Asker): Promise<Candidate[]> {
  if (typeof suggestions !== 'string') return suggestions.map((id) => ({ id, name: id }));
  const businesses = await asker.caller.businesses();
  if (suggestions === 'businesses') {
    return businesses.map(({ business_id: id, name }) => ({ id, name }));
  }
  const [only, ...others] = businesses;
  const chosen = business_id?.trim() || (others.length === 0 ? only?.business_id : undefined);
  if (chosen === undefined) return [];
  const { tool, args, list, id } = LISTS[suggestions];
  const rows = await listed(tool, { ...args, business_id: chosen }, list, asker);
  return rows.map((row) => ({ id: String(row[id]), name: String(row.name) }));
}

/** The arguments that ask for the most that one call gives. */
const ALL = { limit: 1000 };

/** The tool that lists the things of a business answers here, so that its checks hold here too. */
const LISTS = {
  campaigns: { tool: listCampaigns, args: ALL, list: 'campaigns', id: 'campaign_id' },
  email_campaigns: {
    tool: listCampaigns,
    args: { ...ALL, filter_channels: ['email'] },
    list: 'campaigns',
    id: 'campaign_id',
  },
  segments: { tool: listSegments, args: ALL, list: 'segments', id: 'segment_id' },
  rfm_profiles: { tool: listRfmProfiles, args: {}, list: 'rfm_profiles', id: 'rfm_profile_id' },
} as const;

/** A caller who may not call the tool is suggested nothing. */
async function listed(
  tool: Tool,
  args: Arguments,
  list: string,
  { environment, caller, signal }: Asker,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  try {
    const { result } = await runTool(environment, tool, args, caller, signal);
    return (result as Record<string, Readonly<Record<string, unknown>>[]>)[list] ?? [];
  } catch (error) {
    if (error instanceof InputError) return [];
    throw error;
  }
}
