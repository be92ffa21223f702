import type { Answer, Plan } from './tool.ts';

/** The answer, or that of the last plan, with these notes after its own. */
export function withNotes(answer: Answer | Plan, notes: readonly string[]): Answer | Plan {
  if ('queries' in answer) return { ...answer, answer: (rows) => withNotes(answer.answer(rows), notes) };
  return notes.length === 0 ? answer : { ...answer, notes: [...(answer.notes ?? []), ...notes] };
}
