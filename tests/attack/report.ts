import { appendFileSync } from 'node:fs';

type Figures = Readonly<Record<string, number | string>>;

/** What one attack did and what it found: `counts` of what was tried, `worst` of what was measured. */
export interface Report {
  readonly topic: string;
  readonly counts: Figures;
  readonly worst: Figures;
}

/** Where the reports of a run meet: each file of attacks is a process of its own. */
export const REPORTS_FILE = 'STORESIGHT_ATTACK_REPORTS_FILE';

/**
 * Hands the figures to the table at the end of the run. Called before what is expected of them, so that a
 * failed run shows them.
 */
export function report(topic: string, { counts, worst }: Omit<Report, 'topic'>): void {
  const file = process.env[REPORTS_FILE];
  if (file === undefined) throw new Error('attacks run by npm run test:attack, which collects their reports');
  appendFileSync(file, `${JSON.stringify({ topic, counts, worst } satisfies Report)}\n`);
}
