import { isCancel, select } from '@clack/prompts';
import type { Business } from '../business/business.ts';
import { KEEP } from '../sources/store-currency.ts';
import { UnansweredError } from '../sources/unanswered.ts';
import { visible } from '../text/visible.ts';
import type { Output } from './command-output.ts';
import { canAsk } from './is-in-terminal.ts';

/**
 * Asks a person at a terminal what an import could not know. Elsewhere the error tells which options answer
 * it.
 *
 * @returns what `--store-currency` would say
 * @throws the error itself where it asks something else, nobody is there to answer, or they choose to give
 *   rates
 */
export async function askForStoreCurrency(
  error: unknown,
  { primary_currency }: Business,
  { isJson }: Output,
): Promise<string> {
  const question =
    error instanceof UnansweredError
      ? error.questions.find(({ setting }) => setting === 'store-currency')
      : undefined;
  if (question === undefined || isJson || !canAsk()) throw error;
  const chosen = await select({
    message: visible(`${question.text}.`),
    options: [
      ...question.values.map((value) => ({
        value,
        label:
          value === KEEP
            ? `Keep ${primary_currency}: the orders count, and their money stays unknown until rates come`
            : `Make ${value} the currency of the store; amounts are not converted`,
      })),
      { value: '', label: 'Stop here, to import their exchange rates too' },
    ],
    output: process.stderr,
  });
  if (isCancel(chosen) || chosen === '') throw error;
  return chosen;
}
