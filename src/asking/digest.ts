import type { Answer } from '../answers/tool.ts';
import { EXTENSION_TOOLS } from '../catalogue.ts';
import type { Caller } from '../control/people/callers.ts';
import { visible } from '../text/visible.ts';
import { type Arguments, runTool, type ToolEnvironment } from './run-tool.ts';

/** What `watch` answers, as far as the page has it. */
export interface Watched {
  readonly from_date: string;
  readonly to_date: string;
  readonly summary: string;
  readonly alerts: readonly { readonly sentence: string }[];
  readonly trust: readonly { readonly text: string; readonly touches: string }[];
}

export interface Digest {
  readonly watched: Watched;
  readonly notes: readonly string[];
  /**
   * Whether something is unusual, or may not be quoted: else there is no page, and the text is a sentence.
   */
  readonly hasNews: boolean;
  /** The text is Markdown. */
  readonly text: string;
}

/**
 * A dated page of what `watch` finds in a store, for people: what may not be quoted first, then what is
 * unusual, then the notes.
 *
 * @param args of `watch`
 * @throws InputError for a store that the caller may not read, or that has no data; BusyError
 */
export async function readDigest(
  environment: ToolEnvironment,
  args: Arguments,
  caller: Caller,
  signal?: AbortSignal,
): Promise<Digest> {
  const watch = EXTENSION_TOOLS.find(({ name }) => name === 'watch') as (typeof EXTENSION_TOOLS)[number];
  const { result, notes = [] }: Answer = await runTool(environment, watch, args, caller, signal);
  const watched = result as Watched;
  const business = (await caller.businesses()).find(({ business_id }) => business_id === args.business_id);
  const hasNews = watched.alerts.length + watched.trust.length > 0;
  const nothing = `${watched.summary} Nothing is missing or stale, so there is no page to write.`;
  const text = hasNews ? page(business?.name ?? 'Store', watched, notes) : nothing;
  return { watched, notes, hasNews, text };
}

function page(name: string, watched: Watched, notes: readonly string[]): string {
  const { from_date, to_date, summary, alerts, trust } = watched;
  return [
    `# ${markdown(name)}: ${from_date} to ${to_date}`,
    markdown(summary),
    ...section(
      'May not be quoted as it is',
      trust.map(({ text, touches }) => `${markdown(text)} It touches ${markdown(touches)}.`),
    ),
    ...section(
      'Unusual',
      alerts.map(({ sentence }) => markdown(sentence)),
    ),
    ...section('Notes', notes.map(markdown)),
  ].join('\n\n');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, lines.map((line) => `- ${line}`).join('\n')];
}

/**
 * Names of a store's products and campaigns are other people's words: they are shown, and mean nothing to
 * Markdown.
 */
function markdown(text: string): string {
  return visible(text).replace(/[\\`*_[\]<>#|~]/g, String.raw`\$&`);
}
