import { readCurrency, readTimezone } from '../control/businesses/businesses.ts';
import type { StoreChange, Upload, UploadAnswers } from '../control/businesses/uploads.ts';
import type { AskedQuestion } from '../sources/unanswered.ts';
import { readOutcome } from '../uploads/outcome.ts';
import type { Form } from './page-context.ts';

/**
 * Settings with one field of the same name. An empty field changes nothing, unless the form says that the
 * field was there.
 */
const ONE_FIELD = [
  'timezone',
  'dates',
  'currency',
  'encoding',
  'exported-at',
  'orders-from',
  'store-currency',
] as const;

/** The answers of a form about the files, together with those given before. */
export function readAnswers(form: Form, { answers, outcome }: Upload): UploadAnswers {
  // A box that is not ticked sends nothing, so the form lists its fields that can be empty.
  const emptied = form
    .all('has_field')
    .filter((name) => ONE_FIELD.some((one) => one === name) && form.text(name).trim() === '');
  const kept = Object.entries(answers.settings).filter(([name]) => !emptied.includes(name));
  const asked = readOutcome(outcome);
  const max_rejects = form.text('max_rejects').trim();
  return {
    ...answers,
    settings: readSettings(
      form,
      Object.fromEntries(kept),
      asked?.kind === 'questions' ? asked.questions : [],
    ),
    max_rejects: max_rejects === '' ? answers.max_rejects : max_rejects,
    ...readStore(form, answers.store),
  };
}

/**
 * The time zone and the currency of a new store.
 *
 * @throws InputError
 */
function readStore(form: Form, before: StoreChange | undefined): { readonly store?: StoreChange } {
  const [timezone, currency] = [form.text('store_timezone'), form.text('store_own_currency')];
  const said = {
    ...(timezone !== '' && { timezone: readTimezone(timezone) }),
    ...(currency !== '' && { primary_currency: readCurrency(currency) }),
  };
  const store = { ...before, ...said };
  return Object.keys(store).length === 0 ? {} : { store };
}

/** The answers of a form to questions, together with those given before. */
export function readSettings(
  form: Form,
  before: Readonly<Record<string, string>>,
  asked: readonly AskedQuestion[],
): Record<string, string> {
  const said = ONE_FIELD.flatMap((name) => {
    const value = form.text(name).trim();
    return value === '' ? [] : [[name, value] as const];
  });
  const names = form.all('status_name');
  const meanings = form.all('status_meaning');
  const told = names.flatMap((name, index) => {
    const meaning = meanings[index] ?? '';
    return name.trim() === '' || meaning === '' ? [] : [`${name.trim().replace(/[\r\n]+/g, ' ')}=${meaning}`];
  });
  const schemas = form.all('schema').join(',');
  const known = before.status ?? asked.find(({ setting }) => setting === 'status')?.said ?? '';
  const statuses = [known, ...told].filter((text) => text !== '').join('\n');
  return {
    ...before,
    ...Object.fromEntries(said),
    ...(statuses === '' ? {} : { status: statuses }),
    ...(schemas === '' ? {} : { schema: schemas }),
  };
}
