import type { Pieces } from '../main-thread/pieces.ts';
import type { Queries, RowsOf } from './fields/query.ts';
import type { Answer, Made, Plan } from './tool.ts';

/** What was made, whether at once or in pieces, as pieces. */
export function* madeInPieces(made: Made): Pieces<Answer | Plan> {
  return Symbol.iterator in made ? yield* made : made;
}

/** What was made, its answer changed, also where that comes in pieces, or rows become another plan first. */
export function withAnswer(made: Made, change: (answer: Answer) => Answer): Made {
  return Symbol.iterator in made ? changedInPieces(made, change) : changed(made, change);
}

/** The same with these notes after those of the answer. */
export function withNotes(made: Made, notes: readonly string[]): Made {
  if (notes.length === 0) return made;
  return withAnswer(made, (answer) => ({ ...answer, notes: [...(answer.notes ?? []), ...notes] }));
}

/**
 * The plan, which asks these queries too. Their rows are read for notes, or become another part of the
 * answer.
 *
 * `withQueries(plan, { tracked }, (made, { tracked }) => withNotes(made, notesOf(tracked)))`
 *
 * @param queries under names that the plan itself does not use
 */
export function withQueries<const Asked extends Queries>(
  plan: Plan,
  queries: Asked,
  change: (made: Made, rows: RowsOf<Asked>) => Made,
): Plan {
  return {
    ...plan,
    queries: { ...plan.queries, ...queries },
    answer: (rows, outcome) => change(plan.answer(rows, outcome), rows as RowsOf<Asked>),
  };
}

function* changedInPieces(
  made: Pieces<Answer | Plan>,
  change: (answer: Answer) => Answer,
): Pieces<Answer | Plan> {
  return changed(yield* made, change);
}

function changed(made: Answer | Plan, change: (answer: Answer) => Answer): Answer | Plan {
  if (!('queries' in made)) return change(made);
  return { ...made, answer: (rows, outcome) => withAnswer(made.answer(rows, outcome), change) };
}
