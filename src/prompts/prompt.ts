import type { ExtensionName } from '../business/extensions.ts';
import type { GroupName } from '../business/tool-groups.ts';
import { InputError } from '../errors.ts';
import type { PromptContext } from './default-range.ts';

/** What a client may offer while somebody types an argument: ids out of the data, or these values. */
export type Suggestions =
  | 'businesses'
  | 'campaigns'
  | 'email_campaigns'
  | 'segments'
  | 'rfm_profiles'
  | readonly string[];

export interface PromptArgument {
  /** The description for the person who fills it in. */
  readonly description: string;
  readonly required?: true;
  readonly suggestions?: Suggestions;
}

type Declarations = Readonly<Record<string, PromptArgument>>;

/** Values as they were given; undefined: not given. */
type Values<Args extends Declarations> = {
  readonly [Name in keyof Args]: Args[Name] extends { readonly required: true } ? string : string | undefined;
};

/** A question that a person picks, as the text that tells an agent how to answer it with the tools. */
export interface Prompt<Args extends Declarations = Declarations> {
  readonly name: string;
  readonly title: string;
  /** What it is for, for the person who picks it. */
  readonly description: string;
  /** The groups of the tools that it tells of. Without one of them the prompt is not offered. */
  readonly groups: readonly GroupName[];
  /** The extension whose tools it tells of. Without one, these are the tools of the contract alone. */
  readonly extension?: ExtensionName;
  readonly arguments: Args;
  /**
   * The message of the user.
   *
   * @throws InputError for values that it cannot use
   */
  message(args: Values<Args>, context: PromptContext): string;
}

export function definePrompt<const Args extends Declarations>(prompt: Prompt<Args>): Prompt {
  return prompt as unknown as Prompt;
}

/**
 * The prompt's arguments out of what a client sent. Blanks are as good as nothing: clients send them for
 * fields that were left empty.
 *
 * @throws InputError for names that do not exist, and for required arguments that are not given
 */
export function readPromptArguments(
  prompt: Prompt,
  given: Readonly<Record<string, string>>,
): Record<string, string | undefined> {
  const names = Object.keys(prompt.arguments);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw new InputError(`unknown argument ${unknown}; arguments are ${names.join(', ')}`);
  }
  const values = Object.fromEntries(names.map((name) => [name, given[name]?.trim() || undefined]));
  const missing = names.find((name) => prompt.arguments[name]?.required && values[name] === undefined);
  if (missing !== undefined) throw new InputError(`${missing} is required`);
  return values;
}
