import { message } from './message.ts';
import { definePrompt, type Prompt } from './prompt.ts';
import { type PromptRange, readComparedRanges } from './prompt-range.ts';
import { businessArgument, compareArguments, rangeArguments, readBusiness } from './shared-arguments.ts';

interface ComparedPrompt extends Pick<Prompt, 'name' | 'title' | 'description' | 'groups'> {
  readonly task: string;
  readonly resources: readonly [string, ...string[]];
  /** @param range the one that the question is about */
  steps(range: PromptRange): readonly string[];
  readonly report: readonly string[];
}

/** A question about one range (A) beside another (B), which takes nothing but the two. */
export function defineComparedPrompt({ task, resources, steps, report, ...described }: ComparedPrompt) {
  return definePrompt({
    ...described,
    arguments: { ...businessArgument, ...rangeArguments, ...compareArguments },
    message(args) {
      const { range, compared } = readComparedRanges(args);
      const shared = { business_id: readBusiness(args.business_id), range, compared };
      return message({ task, shared, resources, steps: steps(range), report });
    },
  });
}
