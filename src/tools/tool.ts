import type { z } from 'zod';
import type { Business, Permission } from '../model/business.ts';
import type { Noise } from '../model/noise.ts';
import type { SnapshotFacts } from '../model/snapshot.ts';
import type { Row } from '../sql/row.ts';
import type { Sql } from '../sql/sql.ts';

/** The groups of the contract. */
export type ToolGroup =
  | 'Businesses'
  | 'Orders'
  | 'Product analytics'
  | 'Order patterns'
  | 'Traffic'
  | 'Email analytics'
  | 'SMS analytics'
  | 'Subscribers'
  | 'RFM'
  | 'Campaign statistics'
  | 'Products'
  | 'Campaigns'
  | 'Segments'
  | 'Interest lists';

interface ToolDeclaration<Input extends z.ZodObject> {
  /** Its file's name with underscores. */
  readonly name: string;
  readonly title: string;
  readonly group: ToolGroup;
  /** For the agent, at most 400 characters; the first sentence says when to use it. */
  readonly description: string;
  /** A `z.strictObject`: an argument that does not exist is an error, not ignored. */
  readonly input: Input;
  /** What the answer is checked against before it leaves. */
  readonly output: z.ZodObject;
}

interface BusinessContext<Arguments> {
  readonly args: Arguments;
  /** Of the business; UTC where it has none. */
  readonly timezone: string;
  /** Of all money; null where the business has none. */
  readonly currency: string | null;
  readonly facts: SnapshotFacts;
  /** Of the snapshot, so that the same count keeps its noise as long as the data stay. */
  readonly noise: Noise;
}

/**
 * What a call asks of the warehouse and how its rows become the answer. The queries run on one snapshot.
 * A null query is not run and gives no rows. Where what is asked depends on rows, these become another plan.
 */
export interface Plan<Queries extends string = string> {
  readonly queries: Readonly<Record<Queries, Sql | null>>;
  /** Counts that the answer gives with noise, each by what it counts: the caller has a budget of them. */
  readonly measures?: readonly string[];
  answer(rows: Readonly<Record<Queries, readonly Row[]>>): Answer | Plan;
}

/** Gives `answer` the names of the queries beside it. */
export function plan<Queries extends string>(queriesAndAnswer: Plan<Queries>): Plan {
  return queriesAndAnswer;
}

export interface Answer {
  readonly result: object;
  /** What the reader should know beside the result, for example names that do not exist. */
  readonly notes?: readonly string[];
}

/** A tool that reads the data of one business. */
export interface BusinessTool<Input extends z.ZodObject = z.ZodObject> extends ToolDeclaration<Input> {
  readonly scope: 'business';
  /** All of them are needed; the first missing one is named. */
  readonly permissions: readonly [Permission, ...Permission[]];
  /** @throws InputError for arguments that the input schema alone cannot judge */
  plan(context: BusinessContext<z.output<Input>>): Plan;
}

/** A tool about the account itself; it needs no permission and reads no snapshot. */
export interface AccountTool<Input extends z.ZodObject = z.ZodObject> extends ToolDeclaration<Input> {
  readonly scope: 'account';
  answer(context: { readonly args: z.output<Input>; readonly businesses: readonly Business[] }): Answer;
}

export type Tool = BusinessTool | AccountTool;

export function defineTool<Input extends z.ZodObject>(
  tool: Omit<BusinessTool<Input>, 'scope'>,
): BusinessTool<Input> {
  return { ...tool, scope: 'business' };
}

export function defineAccountTool<Input extends z.ZodObject>(
  tool: Omit<AccountTool<Input>, 'scope'>,
): AccountTool<Input> {
  return { ...tool, scope: 'account' };
}
