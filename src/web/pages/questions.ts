import { html } from 'hono/html';
import { currencies, timezones } from '../../business/countries.ts';
import { KEEP } from '../../sources/store-currency.ts';
import type { AskedQuestion } from '../../sources/unanswered.ts';
import { ORDER_STATUSES } from '../../uploads/answers.ts';
import type { StoreView } from './stores.ts';
import { plainLine } from './untrusted-text.ts';
import type { Html } from './views.ts';

/** The fields of a form that asks what files, or rows of a vendor, do not say. */
export function questionFields(questions: readonly AskedQuestion[], business: StoreView): Html {
  return html`${questions.map(
    (question, index) => html`<fieldset class="question">
          <legend>${QUESTIONS[question.setting]}</legend>
          <p class="hint" id="why-${index}">${plainLine(question.text)}</p>
          ${answerField(question, business, `why-${index}`)}
        </fieldset>`,
  )}`;
}

const QUESTIONS: Readonly<Record<AskedQuestion['setting'], string>> = {
  timezone: 'Time zone of the shop',
  dates: 'Order of day and month',
  currency: 'Currency',
  status: 'What the statuses of your shop mean',
  encoding: 'Which line reads correctly?',
  'exported-at': 'Day of the export',
  'orders-from': 'Whose orders the store has',
  'store-currency': 'Currency of the store',
  schema: 'Which schemas are of this store',
};

const ENCODINGS = [
  { value: 'windows-1250', label: 'windows-1250: Central Europe' },
  { value: 'windows-1252', label: 'windows-1252: Western Europe' },
  { value: 'iso-8859-2', label: 'ISO 8859-2: Central Europe, older systems' },
  { value: 'windows-1251', label: 'windows-1251: Cyrillic' },
  { value: 'windows-1253', label: 'windows-1253: Greek' },
  { value: 'windows-1254', label: 'windows-1254: Turkish' },
];

const STATUS_MEANINGS: Readonly<Record<(typeof ORDER_STATUSES)[number], string>> = {
  pending: 'ordered, not paid yet (it counts)',
  paid: 'paid (it counts)',
  fulfilled: 'sent (it counts)',
  cancelled: 'cancelled (it does not count)',
  returned: 'returned (it counts; what was paid back is a refund)',
  credit_note: 'a credit note (it does not count; what was paid back is a refund)',
};

function answerField({ setting, values }: AskedQuestion, business: StoreView, why: string): Html {
  switch (setting) {
    case 'timezone': {
      const own = business.timezone ?? 'UTC';
      return select('timezone', 'Time zone', why, [
        { value: own, label: `${own} (that of the store)`, isChosen: business.timezone !== null },
        ...timezones().flatMap((name) => (name === own ? [] : [{ value: name, label: name }])),
      ]);
    }
    case 'currency': {
      const all = currencies().map(({ code, name }) => ({ value: code, label: `${code}: ${name}` }));
      const isOwn = ({ value }: { value: string }) => value === business.primary_currency;
      return select('currency', 'Currency', why, [
        ...all.filter(isOwn),
        ...all.filter((each) => !isOwn(each)),
      ]);
    }
    case 'encoding':
      return values.length === 0
        ? select('encoding', 'Encoding', why, ENCODINGS)
        : html`${values.map((value) => encodingChoice(value, why))}`;
    case 'dates':
      return html`${radio('dates', 'dmy', '3/4/2026 is the 3rd of April', why)}${radio('dates', 'mdy', '3/4/2026 is the 4th of March', why)}`;
    case 'orders-from':
      return radio(
        'orders-from',
        'shop',
        'Take the purchases away and have the orders of the shop from now on',
        why,
      );
    case 'store-currency':
      return storeCurrencyChoice(values, business, why);
    case 'schema':
      return html`${values.map(
        (value) =>
          html`<label class="choice"><input type="checkbox" name="schema" value="${value}" aria-describedby="${why}"><span><bdi>${plainLine(value, 100)}</bdi></span></label>`,
      )}`;
    case 'status':
      return html`${(values.length > 0 ? values : ['', '', '']).map((value, index) => statusField(value, index, why))}`;
    default:
      return html`<div class="field"><label for="${setting}">Date, such as 2026-10-31</label><input id="${setting}" name="${setting}" type="text" required aria-describedby="${why}"></div>`;
  }
}

/**
 * The choice of the store's currency. Each way is a button that sends the form. The first is the one to take where
 * nothing speaks against it.
 */
function storeCurrencyChoice(values: readonly string[], business: StoreView, why: string): Html {
  const own = business.primary_currency ?? 'no currency';
  const main = values.find((value) => value !== KEEP) ?? '';
  const isFirst = values[0] !== KEEP;
  const button = (value: string, label: string) =>
    html`<button class="button${value === values[0] && isFirst && html` primary`}" type="submit" name="store-currency" value="${value}" aria-describedby="${why}">${label}</button>`;
  const change = html`<p>${isFirst ? `The store has no data yet, so it can count in ${main}. Amounts are not converted.` : `The store can count in ${main} from now on. What it has is not converted: amounts without a currency of their own would be in ${main} with the same numbers.`}</p>
          <div class="buttons">${button(main, `Make ${main} the currency of the store`)}</div>`;
  const rates = html`<p>${isFirst ? 'Or give' : 'Give'} exchange rates to ${own}: add a file fx_rates.csv with the columns date, currency and rate, or eurofxref-hist.zip of the European Central Bank as it is.</p>`;
  return html`${isFirst ? html`${change}${rates}` : html`${rates}${change}`}
          <p>Or import the orders so: they are counted, and their money stays unknown until rates come.</p>
          <div class="buttons">${button(KEEP, `Keep ${own}, without rates`)}</div>`;
}

/** Whether a form of these questions needs a button of its own to be sent. */
export function needsSubmit(questions: readonly AskedQuestion[]): boolean {
  return questions.some(({ setting }) => setting !== 'store-currency');
}

function statusField(value: string, index: number, why: string): Html {
  const meanings = ORDER_STATUSES.map(
    (status) => html`<option value="${status}">${STATUS_MEANINGS[status]}</option>`,
  );
  const shown = plainLine(value, 100);
  return html`<div class="field">
            ${
              value === ''
                ? html`<label for="status-${index}">A status of your shop</label>
            <input id="status-${index}" name="status_name" type="text" aria-describedby="${why}">`
                : html`<input type="hidden" name="status_name" value="${value}">`
            }
            <label for="meaning-${index}">${value === '' ? 'means' : html`“<bdi>${shown}</bdi>” means`}</label>
            <select id="meaning-${index}" name="status_meaning"${value !== '' && html` required`} aria-describedby="${why}">
              <option value="">Choose …</option>
              ${meanings}
            </select>
          </div>`;
}

function select(
  name: string,
  label: string,
  why: string,
  options: readonly { readonly value: string; readonly label: string; readonly isChosen?: boolean }[],
): Html {
  return html`<div class="field">
            <label for="${name}">${label}</label>
            <select id="${name}" name="${name}" required aria-describedby="${why}">
              <option value="">Choose …</option>
              ${options.map((option) => html`<option value="${option.value}"${option.isChosen === true && html` selected`}>${option.label}</option>`)}
            </select>
          </div>`;
}

/** A line as one encoding reads it: whoever knows the language sees which is right. */
function encodingChoice(value: string, why: string): Html {
  const [encoding = ''] = value.split(':', 1);
  return html`<label class="choice"><input type="radio" name="encoding" value="${encoding}" required aria-describedby="${why}"><span><bdi>${plainLine(value.slice(encoding.length + 2), 150)}</bdi> <span class="detail">${encoding}</span></span></label>`;
}

function radio(name: string, value: string, label: string, why: string): Html {
  return html`<label class="choice"><input type="radio" name="${name}" value="${value}" required aria-describedby="${why}"><span>${label}</span></label>`;
}
