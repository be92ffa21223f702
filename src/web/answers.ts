import type { Upload, UploadAnswers } from '../control/uploads.ts';
import { readOutcome } from '../uploads/outcome.ts';
import type { Form } from './page-context.ts';

/** Settings that have one field of the same name. An empty field changes nothing, unless the form says that it has the field. */
const ONE_FIELD = ['timezone', 'dates', 'currency', 'encoding', 'exported-at', 'orders-from'] as const;

/** What a form says of the files, together with the answers that were given before. */
export function readAnswers(form: Form, { answers, outcome }: Upload): UploadAnswers {
  const said = ONE_FIELD.flatMap((name) => {
    const value = form.text(name).trim();
    return value === '' ? [] : [[name, value] as const];
  });
  // A box that is not ticked sends nothing: the form tells which fields it has that can be emptied.
  const emptied = form
    .all('has_field')
    .filter((name) => ONE_FIELD.some((one) => one === name) && form.text(name).trim() === '');
  const kept = Object.entries(answers.settings).filter(([name]) => !emptied.includes(name));
  const asked = readOutcome(outcome);
  const status =
    asked?.kind === 'questions' ? asked.questions.find(({ setting }) => setting === 'status') : undefined;
  const names = form.all('status_name');
  const meanings = form.all('status_meaning');
  const told = names.flatMap((name, index) => {
    const meaning = meanings[index] ?? '';
    return name.trim() === '' || meaning === '' ? [] : [`${name.trim().replace(/[\r\n]+/g, ' ')}=${meaning}`];
  });
  const statuses = [answers.settings.status ?? status?.said ?? '', ...told]
    .filter((text) => text !== '')
    .join('\n');
  const max_rejects = form.text('max_rejects').trim();
  return {
    settings: {
      ...Object.fromEntries(kept),
      ...Object.fromEntries(said),
      ...(statuses === '' ? {} : { status: statuses }),
    },
    max_rejects: max_rejects === '' ? answers.max_rejects : max_rejects,
  };
}
