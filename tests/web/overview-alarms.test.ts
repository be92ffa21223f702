import { describe, expect, it } from 'vitest';
import { messagesIn } from '../../src/messages/messages.ts';
import { readAlarms } from '../../src/overview/alarms.ts';
import type { PageRange } from '../../src/overview/page-range.ts';
import type { Answers } from '../../src/overview/tool-answers.ts';
import { QueryTimeoutError } from '../../src/warehouse/warehouse.ts';
import { numbersOf } from '../../src/web/pages/overview.ts';
import { someNumbers } from './pages/page-states.ts';

const ENGLISH = messagesIn('en-GB');
const RANGE = {
  ...{ lastDay: '2026-09-30', store: someNumbers.store, messages: ENGLISH },
  days: { from_date: '2026-01-01', to_date: '2026-01-31' },
} as unknown as PageRange;

function answersOf(answer: (asked: unknown) => object | null): Answers {
  const ofArguments = async (_name: string, tool: string, args: object) => answer({ tool, ...args });
  return { ofArguments, sentences: () => [] } as unknown as Answers;
}

describe('what broke', () => {
  it('is asked of the last 28 days with orders, whichever days the page shows', async () => {
    const asked: unknown[] = [];
    const answers = answersOf((one) => {
      asked.push(one);
      return { trust: [] };
    });
    expect(await readAlarms(answers, RANGE)).toEqual([]);
    expect(asked).toEqual([{ tool: 'watch', as_of: '2026-10-01', since: '2026-09-03' }]);
  });

  it('is deliveries that fail and what is silent; the rest of the findings stays there', async () => {
    const trust = [
      { kind: 'delivery', text: '16 % were not delivered.' },
      { kind: 'unknown_costs', text: 'Costs are not known.' },
      { kind: 'silent_automations', text: 'One sends nothing any more.' },
    ];
    const alarms = await readAlarms(
      answersOf(() => ({ trust })),
      RANGE,
    );
    expect(alarms?.map(({ text }) => text)).toEqual([
      '16 % were not delivered.',
      'One sends nothing any more.',
    ]);
  });

  it('is not known where it takes too long; other faults are those of the page', async () => {
    const failing = (error: Error) =>
      answersOf(() => {
        throw error;
      });
    expect(await readAlarms(failing(new QueryTimeoutError(30)), RANGE)).toBeNull();
    await expect(readAlarms(failing(new Error('wrong')), RANGE)).rejects.toThrow('wrong');
  });

  it('stands before the numbers, in the language of the page', () => {
    const page = String(numbersOf(someNumbers, '/overview', messagesIn('de-DE')));
    expect(page).toContain('Zuerst ansehen');
    expect(page.indexOf('e-mails to Seznam')).toBeLessThan(page.indexOf('data-card='));
    expect(page).toContain('/overview/findings?');
  });

  it('is said to be unknown where it is, and there is nothing where nothing broke', () => {
    const shown = (alarms: typeof someNumbers.alarms) =>
      String(numbersOf({ ...someNumbers, alarms }, '/overview', ENGLISH));
    expect(shown(null)).toContain('Whether something broke in the last days could not be found out now.');
    expect(shown([])).not.toContain('look-first');
  });
});
