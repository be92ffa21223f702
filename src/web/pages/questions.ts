import { html } from 'hono/html';
import { currencies, timezones } from '../../business/countries.ts';
import type { PlainKey } from '../../messages/catalogue.ts';
import type { Messages } from '../../messages/messages.ts';
import { KEEP } from '../../sources/store-currency.ts';
import type { AskedQuestion } from '../../sources/unanswered.ts';
import { ORDER_STATUSES } from '../../uploads/check-answers.ts';
import { quotedLang } from './quoted-sentences.ts';
import type { StoreView } from './stores.ts';
import { plainLine } from './untrusted-text.ts';
import type { Html } from './views.ts';

/** The fields of a form that asks what files or a vendor's rows do not say. */
export function questionFields(
  questions: readonly AskedQuestion[],
  business: StoreView,
  messages: Messages,
): Html {
  return html`${questions.map(
    (question, index) => html`<fieldset class="question">
          <legend>${messages.say(QUESTIONS[question.setting])}</legend>
          ${
            question.setting === 'encoding' && question.values.length > 0
              ? html`<p class="hint" id="why-${index}">${messages.say('question.encoding-hint')}</p>`
              : html`<p class="hint" id="why-${index}"${quotedLang(messages)}>${plainLine(question.text)}</p>`
          }
          ${answerField(question, business, `why-${index}`, messages)}
        </fieldset>`,
  )}`;
}

const QUESTIONS: Readonly<Record<AskedQuestion['setting'], PlainKey>> = {
  timezone: 'question.timezone',
  dates: 'question.dates',
  currency: 'question.currency',
  status: 'question.status',
  encoding: 'question.encoding',
  'exported-at': 'question.exported-at',
  'orders-from': 'question.orders-from',
  'store-currency': 'question.store-currency',
  schema: 'question.schema',
};

const ENCODINGS: readonly { readonly value: string; readonly name: string; readonly where: PlainKey }[] = [
  { value: 'windows-1250', name: 'windows-1250', where: 'question.central-europe' },
  { value: 'windows-1252', name: 'windows-1252', where: 'question.western-europe' },
  { value: 'iso-8859-2', name: 'ISO 8859-2', where: 'question.central-older' },
  { value: 'windows-1251', name: 'windows-1251', where: 'question.cyrillic' },
  { value: 'windows-1253', name: 'windows-1253', where: 'question.greek' },
  { value: 'windows-1254', name: 'windows-1254', where: 'question.turkish' },
];

const STATUS_MEANINGS: Readonly<Record<(typeof ORDER_STATUSES)[number], PlainKey>> = {
  pending: 'question.pending',
  paid: 'question.paid',
  fulfilled: 'question.fulfilled',
  cancelled: 'question.cancelled',
  returned: 'question.returned',
  credit_note: 'question.credit-note',
};

function answerField(
  { setting, values }: AskedQuestion,
  business: StoreView,
  why: string,
  messages: Messages,
): Html {
  const { say } = messages;
  switch (setting) {
    case 'timezone': {
      const own = business.timezone ?? 'UTC';
      return select({ name: 'timezone', label: say('upload.timezone'), why, messages }, [
        {
          value: own,
          label: business.timezone === null ? own : say('question.own-timezone', { timezone: own }),
          isChosen: business.timezone !== null,
        },
        ...timezones().flatMap((name) => (name === own ? [] : [{ value: name, label: name }])),
      ]);
    }
    case 'currency': {
      const all = currencies().map(({ code }) => ({
        value: code,
        label: `${code}: ${messages.currency(code)}`,
      }));
      const isOwn = ({ value }: { value: string }) => value === business.primary_currency;
      return select({ name: 'currency', label: say('question.currency'), why, messages }, [
        ...all.filter(isOwn),
        ...all.filter((each) => !isOwn(each)),
      ]);
    }
    case 'encoding':
      return values.length === 0
        ? select(
            { name: 'encoding', label: say('question.encoding-label'), why, messages },
            ENCODINGS.map(({ value, name, where }) => ({ value, label: `${name}: ${say(where)}` })),
          )
        : html`${values.map((value) => encodingChoice(value, why, messages))}`;
    case 'dates':
      return html`${radio('dates', 'dmy', say('question.day-first'), why)}${radio('dates', 'mdy', say('question.month-first'), why)}`;
    case 'orders-from':
      return radio('orders-from', 'shop', say('question.from-shop'), why);
    case 'store-currency':
      return storeCurrencyChoice(values, business, why, messages);
    case 'schema':
      return html`${values.map(
        (value) =>
          html`<label class="choice"><input type="checkbox" name="schema" value="${value}" aria-describedby="${why}"><span><bdi>${plainLine(value, 100)}</bdi></span></label>`,
      )}`;
    case 'status':
      return html`${(values.length > 0 ? values : ['', '', '']).map((value, index) => statusField(value, index, why, messages))}`;
    default:
      return html`<div class="field"><label for="${setting}">${say('question.date-such-as')}</label><input id="${setting}" name="${setting}" type="text" required aria-describedby="${why}"></div>`;
  }
}

/** The choice of the store's currency. Each choice is a button that sends the form, the usual one first. */
function storeCurrencyChoice(
  values: readonly string[],
  business: StoreView,
  why: string,
  { say }: Messages,
): Html {
  const own = business.primary_currency ?? say('stores.no-currency');
  const main = values.find((value) => value !== KEEP) ?? '';
  const isFirst = values[0] !== KEEP;
  const button = (value: string, label: string) =>
    html`<button class="button${value === values[0] && isFirst && html` primary`}" type="submit" name="store-currency" value="${value}" aria-describedby="${why}">${label}</button>`;
  const change = html`<p>${say(isFirst ? 'question.can-count' : 'question.can-change', { currency: main })}</p>
          <div class="buttons">${button(main, say('question.make-currency', { currency: main }))}</div>`;
  const rates = html`<p>${say(isFirst ? 'question.or-give-rates' : 'question.give-rates', { currency: own })}</p>`;
  return html`${isFirst ? html`${change}${rates}` : html`${rates}${change}`}
          <p>${say('question.without-rates')}</p>
          <div class="buttons">${button(KEEP, say('question.keep-currency', { currency: own }))}</div>`;
}

/** Whether a form with these questions needs a button of its own. */
export function needsSubmit(questions: readonly AskedQuestion[]): boolean {
  return questions.some(({ setting }) => setting !== 'store-currency');
}

function statusField(value: string, index: number, why: string, { say, around }: Messages): Html {
  const meanings = ORDER_STATUSES.map(
    (status) => html`<option value="${status}">${say(STATUS_MEANINGS[status])}</option>`,
  );
  const shown = plainLine(value, 100);
  return html`<div class="field">
            ${
              value === ''
                ? html`<label for="status-${index}">${say('question.a-status')}</label>
            <input id="status-${index}" name="status_name" type="text" aria-describedby="${why}">`
                : html`<input type="hidden" name="status_name" value="${value}">`
            }
            <label for="meaning-${index}">${value === '' ? say('question.means') : around('question.status-means', { status: html`<bdi>${shown}</bdi>` })}</label>
            <select id="meaning-${index}" name="status_meaning"${value !== '' && html` required`} aria-describedby="${why}">
              <option value="">${say('upload.choose')}</option>
              ${meanings}
            </select>
          </div>`;
}

function select(
  {
    name,
    label,
    why,
    messages,
  }: {
    readonly name: string;
    readonly label: string;
    readonly why: string;
    readonly messages: Messages;
  },
  options: readonly { readonly value: string; readonly label: string; readonly isChosen?: boolean }[],
): Html {
  return html`<div class="field">
            <label for="${name}">${label}</label>
            <select id="${name}" name="${name}" required aria-describedby="${why}">
              <option value="">${messages.say('upload.choose')}</option>
              ${options.map((option) => html`<option value="${option.value}"${option.isChosen === true && html` selected`}>${option.label}</option>`)}
            </select>
          </div>`;
}

/**
 * Words as one encoding reads them: somebody who knows the language sees which is right. The letters that may
 * differ are marked.
 */
function encodingChoice(value: string, why: string, { say }: Messages): Html {
  const [encoding = ''] = value.split(':', 1);
  const known = ENCODINGS.find((each) => each.value === encoding);
  const words = plainLine(value.slice(encoding.length + 2), 150)
    .split(/([\u0080-\uffff]+)/)
    .map((part, index) => (index % 2 === 1 ? html`<strong>${part}</strong>` : part));
  return html`<label class="choice"><input type="radio" name="encoding" value="${encoding}" required aria-describedby="${why}"><span><bdi>${words}</bdi> <span class="detail">${known === undefined ? encoding : `${say(known.where)} (${known.name})`}</span></span></label>`;
}

function radio(name: string, value: string, label: string, why: string): Html {
  return html`<label class="choice"><input type="radio" name="${name}" value="${value}" required aria-describedby="${why}"><span>${label}</span></label>`;
}
