import type { z } from 'zod';
import type { Assumption } from '../business/assumptions.ts';
import type { Business, Permission } from '../business/business.ts';
import type { ExtensionTitle } from '../business/extensions.ts';
import type { SnapshotFacts } from '../business/snapshot-facts.ts';
import type { ToolGroup } from '../business/tool-groups.ts';
import type { Pieces } from '../main-thread/pieces.ts';
import type { Noise } from '../statistics/noise.ts';
import type { CalendarEvent } from './calendar-event.ts';
import type { Statement, StatementOutcome } from './caller-statement.ts';
import type { Chart, ChartOf } from './chart.ts';
import type { AnswerOf, Field, NothingBeyond } from './fields/field.ts';
import type { Queries, RowsOf } from './fields/query.ts';
import { schemaOf } from './fields/schema.ts';
import { type Rows, rowArguments } from './row-formats.ts';
import type { Sentences } from './sentences.ts';

/** The arguments of a call as JSON has them, before or after a tool reads them. */
export type Arguments = Readonly<Record<string, unknown>>;

interface ToolDeclaration<Input extends z.ZodObject> {
  /** The name of the tool's file with underscores, at most 32 characters. */
  readonly name: string;
  readonly title: string;
  readonly group: ToolGroup | ExtensionTitle;
  /** The description for the agent, about 150 characters. Its first sentence says when to use the tool. */
  readonly description: string;
  /**
   * A `z.strictObject`. What a call has beside it is an error or ignored with a note: see
   * `src/asking/given-arguments.ts`.
   */
  readonly input: Input;
  /** Every value of the answer, in its order. */
  readonly fields: readonly Field[];
  /**
   * The rows of an answer that is a list. An answer about one thing, or one with a few lists of a few rows
   * each, has none.
   */
  readonly rows?: Rows;
  /** The charts to draw, in this order, where a picture says more than the table of the answer. */
  readonly chart?: readonly Chart[];
  /**
   * Example arguments for the demo's made shop, without its id (and without a range, if the default will do).
   * docs/tools shows the answer, and tests of all tools ask it. It has every required argument.
   */
  readonly example?: Readonly<Record<string, unknown>>;
}

export interface BusinessContext<Arguments> {
  readonly args: Arguments;
  /** The time zone of the business, or UTC where it has none. */
  readonly timezone: string;
  /** The currency of all money. It is null where the business has none. */
  readonly currency: string | null;
  readonly facts: SnapshotFacts;
  /** The merchant's assumptions about costs that no file tells; none for tools that do not read them. */
  readonly assumptions?: readonly Assumption[];
  /** The noise of the snapshot: the same count keeps its noise as long as the data stay the same. */
  readonly noise: Noise;
  /**
   * More rows than this, as they are asked for, fit into no answer: a tool that knows their number before its
   * queries refuses them.
   */
  readonly mostRows: number;
  /**
   * The least number of people about whom an answer that follows them over time tells anything. Only tests
   * set it, since their worked examples have one or two people. Without it, the product's own limit holds.
   */
  readonly leastFollowed?: number;
}

/**
 * What a call asks of the warehouse and how its rows become the answer. The queries run on one snapshot.
 * A null query is not run and gives no rows. Where what is asked depends on rows, these become another plan.
 */
export interface Plan<Result = object> {
  readonly queries: Queries;
  /** A statement of the caller that is asked beside them. Its answer is not kept. */
  readonly statement?: Statement;
  /** Counts that the answer gives with noise, each by what it counts: the caller has a budget of them. */
  readonly measures?: readonly string[];
  /**
   * Whether first orders decide fields of this question that do not depend on them by themselves: see
   * `sinceFirst`.
   */
  readonly countsFirstOrders?: boolean;
  /**
   * @param rows of each query, under its name
   * @param outcome of the statement, where there is one
   */
  answer(rows: Readonly<Record<string, readonly never[]>>, outcome?: StatementOutcome): Made<Result>;
}

/** What a plan makes of its rows: at once, or in pieces where that takes more than some milliseconds. */
export type Made<Result = object> = Answer<Result> | Plan<Result> | Pieces<Answer<Result> | Plan<Result>>;

export interface Answer<Result = object> {
  readonly result: Result;
  /** What the reader should know beside the result, for example names that do not exist. */
  readonly notes?: readonly string[];
  /**
   * What sentences of the answer say, for pages in other languages: of its notes it is added when it is made.
   */
  readonly sentences?: Sentences;
  /** What happened in the periods of a trend. It is left out where nothing happened. */
  readonly calendar_events?: readonly CalendarEvent[];
}

/** Gives `answer` the rows of the queries beside it, with their types. */
export function plan<const Asked extends Queries, const Result>(asked: {
  readonly queries: Asked;
  readonly measures?: readonly string[];
  readonly countsFirstOrders?: boolean;
  answer(rows: RowsOf<Asked>): Made<Result>;
}): Plan<Result> {
  return asked as Plan<Result>;
}

/** A tool that reads the data of one business. */
export interface BusinessTool<Input extends z.ZodObject = z.ZodObject, Result = object>
  extends ToolDeclaration<Input> {
  readonly scope: 'business';
  /** All of them are needed; the first missing one is named. */
  readonly permissions: readonly [Permission, ...Permission[]];
  /** Whether it counts with what the merchant says of costs, which no snapshot holds. */
  readonly readsAssumptions?: true;
  /** What the answer is checked against before it leaves; made of the fields. */
  readonly output: z.ZodObject;
  /** @throws InputError for arguments that the input schema alone cannot judge */
  plan(context: BusinessContext<z.output<Input>>): Plan<Result>;
}

/** A tool about the account itself; it needs no permission and reads no snapshot. */
export interface AccountTool<Input extends z.ZodObject = z.ZodObject, Result = object>
  extends ToolDeclaration<Input> {
  readonly scope: 'account';
  readonly output: z.ZodObject;
  answer(context: {
    readonly args: z.output<Input>;
    readonly businesses: readonly Business[];
  }): Answer<Result>;
}

/** The answer of one of the stores that a tool was asked about, beside its name. */
export interface StoreAnswer {
  readonly business_id: string;
  readonly name: string;
  readonly answer: Answer;
}

/**
 * A tool that reads several stores, each by itself with all that is checked of a call, and puts their answers
 * together.
 */
export interface StoresTool<Input extends z.ZodObject = z.ZodObject> extends ToolDeclaration<Input> {
  readonly scope: 'stores';
  readonly output: z.ZodObject;
  /** The same question to one store: `business_id` instead of `business_ids`. */
  readonly each: BusinessTool;
  /** @throws InputError for stores whose answers do not go together */
  join(answers: readonly StoreAnswer[]): Answer;
}

export type Tool = BusinessTool | AccountTool | StoresTool;

/**
 * What a tool declares: its answer has its fields and nothing else, and its charts draw them, or it does not
 * compile.
 */
type Declared<Whole, Fields extends readonly Field[]> = Omit<
  Whole,
  'scope' | 'output' | 'fields' | 'chart'
> & { readonly fields: Fields; readonly chart?: readonly ChartOf<AnswerOf<Fields>>[] };

export function defineTool<
  Input extends z.ZodObject,
  const Fields extends readonly Field[],
  Result extends AnswerOf<Fields>,
>(
  tool: Declared<BusinessTool<Input, Result & NothingBeyond<AnswerOf<Fields>, Result>>, Fields>,
): BusinessTool<Input> {
  const { rows } = tool;
  const input =
    rows === undefined ? tool.input : tool.input.safeExtend(rowArguments(rows, tool.fields) as never);
  return {
    ...tool,
    input,
    output: schemaOf(tool.fields),
    scope: 'business',
  } as unknown as BusinessTool<Input>;
}

export function defineAccountTool<
  Input extends z.ZodObject,
  const Fields extends readonly Field[],
  Result extends AnswerOf<Fields>,
>(
  tool: Declared<AccountTool<Input, Result & NothingBeyond<AnswerOf<Fields>, Result>>, Fields>,
): AccountTool<Input> {
  return { ...tool, output: schemaOf(tool.fields), scope: 'account' } as AccountTool<Input>;
}

export function defineStoresTool<Input extends z.ZodObject>(
  tool: Omit<StoresTool<Input>, 'scope' | 'output'>,
): StoresTool<Input> {
  return { ...tool, output: schemaOf(tool.fields), scope: 'stores' };
}
