import type { z } from 'zod';
import { quoted } from '../../../text/business-text.ts';
import { CONDITIONS, type Conditions, type ConditionType } from './conditions.ts';

/** A block that can be evaluated. */
export type Condition = {
  readonly [Type in ConditionType]: { readonly type: Type; readonly block: Conditions[Type] };
}[ConditionType];

/** A block that cannot: its type is unknown, or something in it is. It is kept, and said to be so. */
export interface UnknownBlock {
  readonly type: null;
  /** The reason, in words. */
  readonly reason: string;
}

export interface SegmentQuery {
  /** Any of these, in each of them all blocks. */
  readonly segments: readonly (readonly (Condition | UnknownBlock)[])[];
  /** All that is wrong, first things first: `segments[0].targetingBlocks[1].operator: unknown value`. */
  readonly problems: readonly string[];
  /** What may stand at the first problem: `operator of "birthday": within_days`. Null without a list. */
  readonly allowed: string | null;
}

/** What is wrong, and what may stand there instead. */
interface Problem {
  readonly text: string;
  readonly allowed: string | null;
}

/** Reads a query as far as it can be read. */
export function parseSegmentQuery(query: unknown): SegmentQuery {
  const problems: Problem[] = [];
  const root = readFields(query, '', 'segments', problems);
  const segments = root.map((segment, index) => {
    const path = `segments[${index}]`;
    const before = problems.length;
    const blocks = readFields(segment, path, 'targetingBlocks', problems);
    // A segment that cannot be read has no blocks, and no blocks would mean everybody.
    const isUnreadable = problems.length > before && blocks.length === 0;
    if (isUnreadable) return [{ type: null, reason: problems[before]?.text ?? '' }];
    return blocks.map((block, place) => readBlock(block, `${path}.targetingBlocks[${place}]`, problems));
  });
  return { segments, problems: problems.map(({ text }) => text), allowed: problems[0]?.allowed ?? null };
}

/** The blocks that can be evaluated, with their paths. */
export function conditionsOf({ segments }: SegmentQuery): { condition: Condition; path: string }[] {
  return segments.flatMap((blocks, index) =>
    blocks.flatMap((block, place) =>
      block.type === null ? [] : [{ condition: block, path: `segments[${index}].targetingBlocks[${place}]` }],
    ),
  );
}

/** The list that is the only field of an object. */
function readFields(value: unknown, path: string, field: string, problems: Problem[]): readonly unknown[] {
  const within = (name: string) => (path === '' ? name : `${path}.${name}`);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push(freely(`${path === '' ? 'segment_query' : path}: must be an object with ${field}`));
    return [];
  }
  const { [field]: list, ...others } = value as Record<string, unknown>;
  if (!Array.isArray(list))
    problems.push(freely(`${within(field)}: ${list === undefined ? 'is required' : 'must be a list'}`));
  problems.push(
    ...Object.keys(others).map((name) => ({
      text: `${within(fieldName(name))}: unknown field`,
      allowed: `the only field here is ${field}`,
    })),
  );
  return Array.isArray(list) ? list : [];
}

function readBlock(block: unknown, path: string, problems: Problem[]): Condition | UnknownBlock {
  const type = typeof block === 'object' && block !== null ? (block as { type?: unknown }).type : undefined;
  const allowed = `type: ${Object.keys(CONDITIONS).join(', ')}`;
  if (typeof type !== 'string') {
    problems.push({ text: `${path}.type: ${type === undefined ? 'is required' : 'must be text'}`, allowed });
    return { type: null, reason: 'no type' };
  }
  if (!Object.hasOwn(CONDITIONS, type)) {
    problems.push({ text: `${path}.type: unknown value`, allowed });
    return { type: null, reason: `unknown condition ${quoted(type)}` };
  }
  const read = CONDITIONS[type as ConditionType].safeParse(block, { reportInput: true });
  if (read.success) return { type, block: read.data } as Condition;
  const found = read.error.issues.flatMap((issue) =>
    describeIssue(issue).map((text) => ({ text, allowed: allowedAt(issue, type as ConditionType) })),
  );
  problems.push(...found.map((problem) => ({ ...problem, text: `${path}.${problem.text}` })));
  return { type: null, reason: `${quoted(type)} with ${found[0]?.text}` };
}

/** A problem where what may stand there has no list. */
function freely(text: string): Problem {
  return { text, allowed: null };
}

/** The values or fields that a condition of the type takes at the place of the issue. */
function allowedAt(issue: z.core.$ZodIssue, type: ConditionType): string | null {
  if (issue.code === 'invalid_value')
    return `${issue.path.join('.')} of ${quoted(type)}: ${issue.values.join(', ')}`;
  if (issue.code === 'unrecognized_keys' && issue.path.length === 0)
    return `fields of ${quoted(type)}: ${Object.keys(CONDITIONS[type].shape).join(', ')}`;
  return null;
}

function describeIssue(issue: z.core.$ZodIssue): string[] {
  const path = issue.path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}${text && '.'}${String(part)}`),
    '',
  );
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${path}${path && '.'}${fieldName(key)}: unknown field`);
  }
  if (issue.input === undefined && issue.code !== 'custom') return [`${path}: is required`];
  if (issue.code === 'invalid_value') return [`${path}: unknown value`];
  if (issue.code === 'invalid_type' && issue.message.startsWith('Invalid input')) {
    return [`${path}: must be ${EXPECTED[issue.expected] ?? issue.expected}`];
  }
  return [`${path}: ${issue.message}`];
}

const EXPECTED: Readonly<Record<string, string>> = {
  object: 'an object',
  int: 'a whole number',
  number: 'a number',
  string: 'text',
};

/** A name out of a query within a path of ours. */
function fieldName(name: string): string {
  return /^\w{1,60}$/.test(name) ? name : quoted(name);
}
