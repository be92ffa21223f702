import { type Connection, makeDue } from '../control/connections.ts';
import type { ControlDatabase } from '../control/database.ts';
import { saveSourceSettings } from '../control/source-settings.ts';
import { lasting } from '../sources/settings.ts';
import type { Settings } from '../sources/source.ts';
import type { AskedQuestion } from '../sources/unanswered.ts';

/** Whether an answer can be remembered. What says how a store and its files are is asked of who imports a file. */
export function isForLater({ setting }: AskedQuestion): boolean {
  return setting !== 'orders-from' && setting in lasting({ [setting]: '' });
}

/** Remembers answers for the imports to come, under the names of those that asked, and has the connection read again. */
export async function answerQuestions(
  control: ControlDatabase,
  { business_id, connection_id }: Pick<Connection, 'business_id' | 'connection_id'>,
  questions: readonly AskedQuestion[],
  said: Settings,
): Promise<void> {
  for (const { source, setting } of questions.filter(isForLater)) {
    const answer = said[setting];
    if (answer !== undefined) await saveSourceSettings(control, business_id, source, { [setting]: answer });
  }
  await makeDue(control, connection_id);
}
