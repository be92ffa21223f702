import { saveSourceSettings } from '../control/businesses/source-settings.ts';
import { type Connection, makeDue } from '../control/connections/connections.ts';
import { rememberAnswers } from '../control/connections/remembered-answers.ts';
import type { ControlDatabase } from '../control/database/control-database.ts';
import { lasting } from '../sources/check-settings.ts';
import type { Settings } from '../sources/source.ts';
import { KEEP } from '../sources/store-currency.ts';
import type { AskedQuestion } from '../sources/unanswered.ts';

/**
 * Says whether an answer holds for all imports to come. What says whose orders a store has, or in which
 * currency, changes the store once.
 */
function isLasting({ setting }: AskedQuestion, answer: string): boolean {
  if (setting === 'store-currency') return answer === KEEP;
  return setting !== 'orders-from' && setting in lasting({ [setting]: '' });
}

/**
 * Remembers answers for the imports to come, under the names of those that asked, or for the next one of this
 * connection, and has the connection read again.
 */
export async function answerQuestions(
  control: ControlDatabase,
  { business_id, connection_id }: Pick<Connection, 'business_id' | 'connection_id'>,
  questions: readonly AskedQuestion[],
  said: Settings,
): Promise<void> {
  for (const question of questions) {
    const { source, setting } = question;
    const answer = said[setting];
    if (answer === undefined) continue;
    if (isLasting(question, answer))
      await saveSourceSettings(control, business_id, source, { [setting]: answer });
    else await rememberAnswers(control, connection_id, { [setting]: answer });
  }
  await makeDue(control, connection_id);
}
