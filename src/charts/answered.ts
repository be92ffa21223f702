import { CUT_TEXT, LEFT_OUT, untabled } from '../answers/rows-as-table.ts';
import type { DescribedCharts } from './described-chart.ts';
import type { DrawnStore } from './drawn-store.ts';

/** Hosts pass on different parts of an answer: what one host leaves out is found in another part. */

export type Json = Readonly<Record<string, unknown>>;

export interface HostContext {
  readonly theme?: 'light' | 'dark';
  readonly locale?: string;
  readonly displayMode?: string;
  readonly containerDimensions?: { readonly maxHeight?: number | undefined };
  readonly styles?: { readonly variables?: Readonly<Record<string, string | undefined>> };
  readonly toolInfo?: { readonly tool?: { readonly name?: string } };
}

/** The result of a tool, as far as the host lets it through. */
export interface ToolResult {
  readonly isError?: boolean;
  readonly content?: readonly { readonly type?: string; readonly text?: string }[];
  readonly structuredContent?: unknown;
  readonly _meta?: Json;
}

/**
 * The data of an answer. Some hosts strip them and leave the text, which is the same as JSON unless it says
 * that it is only a part.
 */
export function answerOf({ structuredContent, content }: ToolResult): Json | null {
  if (isObject(structuredContent)) return structuredContent;
  for (const { text } of content ?? []) {
    if (text?.startsWith('{') !== true) continue;
    try {
      const read: unknown = JSON.parse(text);
      if (isObject(read) && !hasNote(read, CUT_TEXT)) return read;
    } catch {}
  }
  return null;
}

/** Whether the answer says that rows are left out; asked for a table, the tool gives all of them. */
export function isLeftOut(answer: Json | null): boolean {
  return answer !== null && hasNote(answer, LEFT_OUT);
}

function hasNote({ notes }: Json, start: string): boolean {
  return Array.isArray(notes) && notes.some((note) => String(note).startsWith(start));
}

/** What is known about the store besides the answer; null where the host strips it. */
export function aboutOf({ _meta }: ToolResult): (DrawnStore & { readonly tool: string }) | null {
  const about = _meta?.['storesight/chart'];
  return isObject(about) && typeof about.tool === 'string'
    ? (about as unknown as DrawnStore & { readonly tool: string })
    : null;
}

/**
 * Finds the tool that answered: by the name in the answer, or the host's name for it, or the shape of the
 * answer.
 */
export function findTool(
  tools: readonly DescribedCharts[],
  named: string | undefined,
  { toolInfo }: HostContext,
  answer: Json | null,
): DescribedCharts | undefined {
  const asNamed = toolInfo?.tool?.name ?? '';
  // Hosts put prefixes before names; if several names match the end, the longest is meant.
  const byName = [named, asNamed].flatMap(
    (name) =>
      tools
        .filter(({ tool }) => name === tool || name?.endsWith(`_${tool}`) || name?.endsWith(`.${tool}`))
        .sort((one, two) => two.tool.length - one.tool.length)[0] ?? [],
  );
  return byName[0] ?? (answer === null ? undefined : byShape(tools, answer));
}

/**
 * Finds the only tool whose answers have these names. If several tools have them, it gives null rather than a
 * wrong one.
 */
function byShape(tools: readonly DescribedCharts[], answer: Json): DescribedCharts | undefined {
  const like = tools.filter((tool) => hasItsNames(tool, answer));
  const alike =
    like.length === 1 ? like : like.filter((tool) => rowNames(tool, answer).length === tool.rowKeys.length);
  return alike.length === 1 ? alike[0] : undefined;
}

/** Names that any answer may have besides its own. */
const BESIDE = ['notes', 'calendar_events', 'columns', 'rows'];

function hasItsNames(tool: DescribedCharts, answer: Json): boolean {
  const isNamed = (key: string) => key in answer || (key === tool.list && 'columns' in answer);
  return (
    tool.keys.every((key) => isNamed(key) || BESIDE.includes(key)) &&
    Object.keys(answer).every((key) => tool.keys.includes(key) || BESIDE.includes(key)) &&
    rowNames(tool, answer).every((key) => tool.rowKeys.includes(key))
  );
}

/** The names in the first row; all rows have the same names. */
function rowNames({ list }: DescribedCharts, answer: Json): string[] {
  if (list === null) return [];
  const rows = untabled(answer, list)[list];
  return Array.isArray(rows) && isObject(rows[0]) ? Object.keys(rows[0]) : [];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
