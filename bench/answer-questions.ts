import type { z } from 'zod';
import { exampleArguments } from '../scripts/tool-examples.ts';
import type { Tool } from '../src/answers/tool.ts';

const YEAR = { from_date: '2025-10-01', to_date: '2026-09-30' };
/** The arguments by which tools divide an answer. */
const SPLITS = ['breakdown', 'dimension', 'group_by', 'segment_by', 'cohort_period'];

export interface Question {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * Questions to the made shop for one tool: the usual one, which docs/tools shows too, one over a year, and
 * one over a year by each of its splits.
 */
export function questionsOf(tool: Tool): readonly Question[] {
  const usual = exampleArguments(tool);
  if (!('from_date' in tool.input.shape)) return [{ name: 'usual', args: usual }];
  const year = { ...usual, ...YEAR };
  const splits = SPLITS.flatMap((split) =>
    optionsOf(tool.input.shape[split] as z.ZodType | undefined).map((value) => ({
      name: `a year by ${value}`,
      args: { ...year, [split]: value },
    })),
  );
  return [{ name: 'usual', args: usual }, { name: 'a year', args: year }, ...splits];
}

interface Wrapped {
  readonly options?: readonly string[];
  readonly def?: { readonly innerType?: Wrapped };
}

function optionsOf(schema: unknown): readonly string[] {
  const { options, def } = Object(schema) as Wrapped;
  return options ?? (def?.innerType === undefined ? [] : optionsOf(def.innerType));
}
