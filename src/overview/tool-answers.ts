import type { Field } from '../answers/fields/field.ts';
import type { Sentence, Sentences } from '../answers/sentences.ts';
import type { Tool } from '../answers/tool.ts';
import { runTool, structured, type ToolEnvironment } from '../asking/run-tool.ts';
import { CATALOGUE, EXTENSION_TOOLS } from '../catalogue.ts';
import type { Caller } from '../control/people/callers.ts';
import { InputError } from '../errors.ts';
import type { Days } from './page-periods.ts';

/** What a tool answered, or what of it is an object. */
export type Data = Readonly<Record<string, unknown>>;

interface Question {
  readonly tool: string;
  /** The arguments beside the store and the days. */
  readonly args?: Readonly<Record<string, unknown>>;
}

/** Answers of tools for one page: what several parts need is asked once. */
export class Answers {
  readonly #environment: ToolEnvironment;
  readonly #caller: Caller;
  readonly #businessId: string;
  readonly #signal: AbortSignal | undefined;
  readonly #asked = new Map<string, Promise<Data | null>>();
  readonly #given: { readonly days: Days; readonly notes: readonly string[] }[] = [];
  readonly #sentences = new Map<string, Sentence>();
  readonly #refused = new Map<string, string>();

  /** @param signal ends what is asked for a page that nobody waits for any more */
  constructor(environment: ToolEnvironment, caller: Caller, businessId: string, signal?: AbortSignal) {
    this.#signal = signal;
    this.#environment = environment;
    this.#caller = caller;
    this.#businessId = businessId;
  }

  /**
   * Null where the tool refuses; `missing` says why.
   *
   * @param name what would be missing
   */
  of(name: string, { tool, args }: Question, days: Days): Promise<Data | null> {
    return this.ofArguments(name, tool, { ...days, ...args }, days);
  }

  /**
   * The same for a tool that has its own words for days.
   *
   * @param days that its notes are about
   */
  ofArguments(name: string, tool: string, args: Data, days: Days): Promise<Data | null> {
    const ofStore =
      toolCalled(tool).scope === 'stores'
        ? { business_ids: [this.#businessId] }
        : { business_id: this.#businessId };
    const asked = { ...ofStore, ...args };
    const key = JSON.stringify([tool, asked]);
    const known = this.#asked.get(key) ?? this.#ask(name, tool, asked, days);
    this.#asked.set(key, known);
    return known;
  }

  async #ask(name: string, tool: string, asked: Data, days: Days): Promise<Data | null> {
    // Its place is that of the question: which answer comes first is chance, and the page shows the first
    // notes.
    const place = this.#given.push({ days, notes: [] }) - 1;
    try {
      const answer = await runTool(this.#environment, toolCalled(tool), asked, this.#caller, this.#signal);
      this.#given[place] = { days, notes: answer.notes ?? [] };
      for (const [text, sentence] of answer.sentences ?? []) this.#sentences.set(text, sentence);
      return structured(answer);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      this.#refused.set(name, error.message);
      return null;
    }
  }

  /** The notes of the answers about these days, in the order of the questions. */
  notes(days: Days): readonly string[] {
    return this.#given.flatMap((each) => (each.days === days ? each.notes : []));
  }

  /** What is known of sentences of the answers, for other languages. */
  sentences(): Sentences {
    return [...this.#sentences];
  }

  missing() {
    return [...this.#refused].map(([name, why]) => ({ name, why }));
  }
}

export function toolCalled(name: string): Tool {
  const tool = [...CATALOGUE, ...EXTENSION_TOOLS].find((one) => one.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  return tool;
}

/** @throws Error where a part names a field that its tool does not have */
export function fieldOf(tool: string, path: string): Field {
  let fields: readonly Field[] = toolCalled(tool).fields;
  let found: Field | undefined;
  for (const key of path.split('.')) {
    found = fields.find((one) => one.key === key);
    fields = found?.fields ?? found?.either?.flat() ?? [];
  }
  if (found === undefined) throw new Error(`${tool} has no field ${path}`);
  return found;
}

/** The number at `totals.sessions_count`; null where there is none. */
export function numberAt(data: Data, path: string): number | null {
  const found = path.split('.').reduce<unknown>((value, key) => Object(value)[key], data);
  return typeof found === 'number' ? found : null;
}

/** The rows at `products`; none where there is no answer. */
export function rowsAt(answer: Data | null, name: string): readonly Data[] {
  const rows = answer?.[name];
  return Array.isArray(rows) ? rows : [];
}
