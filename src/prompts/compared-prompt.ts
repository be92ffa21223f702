import type { LoadedSource } from '../business/snapshot-facts.ts';
import { chooseDates, offerComparison, type PromptContext } from './default-range.ts';
import { definePrompt, type Prompt } from './prompt.ts';
import { message } from './prompt-message.ts';
import { type PromptRange, readComparedRanges } from './prompt-range.ts';
import { businessArgument, compareArguments, rangeArguments, readBusiness } from './shared-arguments.ts';

interface ComparedPrompt extends Pick<Prompt, 'name' | 'title' | 'description' | 'groups'> {
  /** The data whose last whole month the prompt is about, where no dates are given. */
  readonly source: LoadedSource;
  readonly task: string;
  readonly resources: readonly [string, ...string[]];
  /** @param range the one that the question is about */
  steps(range: PromptRange): readonly string[];
  readonly report: readonly string[];
}

/** A question about one range (A) beside another (B), which takes nothing but the two. */
export function defineComparedPrompt({
  source,
  task,
  resources,
  steps,
  report,
  ...described
}: ComparedPrompt) {
  return definePrompt({
    ...described,
    arguments: { ...businessArgument, ...rangeArguments, ...compareArguments },
    message(args, context) {
      const { compare_from_date, compare_to_date } = args;
      const { notes, ...dates } = chooseDates(args, { source, months: 1 }, context);
      const { range, compared } = readComparedRanges({ ...dates, compare_from_date, compare_to_date });
      const offered = compare_from_date === undefined ? offerComparison(range, compared, context) : [];
      return message({
        task,
        shared: { business_id: readBusiness(args.business_id), range, compared },
        notes: [...notes, ...offered],
        resources,
        steps: steps(range),
        report,
      });
    },
  });
}

interface ComparedValues {
  readonly business_id: string | undefined;
  readonly from_date: string | undefined;
  readonly to_date: string | undefined;
  readonly compare_from_date: string | undefined;
  readonly compare_to_date: string | undefined;
}

/**
 * A range of orders beside another one, and how the tools of the extension are asked to compare the two.
 * Without dates it is the last whole month.
 */
export function readMonthCompared(args: ComparedValues, context: PromptContext) {
  const { compare_from_date, compare_to_date } = args;
  const { notes, ...dates } = chooseDates(args, { source: 'orders', months: 1 }, context);
  const { range, compared } = readComparedRanges({ ...dates, compare_from_date, compare_to_date });
  const comparison = {
    compare: 'range',
    compare_from_date: compared.from_date,
    compare_to_date: compared.to_date,
  };
  return { business_id: readBusiness(args.business_id), range, compared, comparison, notes };
}
