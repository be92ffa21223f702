import { html } from 'hono/html';
import { ASSUMPTION_KINDS, type Assumption, type AssumptionKind } from '../../business/assumptions.ts';
import { currencies, timezones } from '../../business/countries.ts';
import type { StoreChange } from '../../control/uploads.ts';
import type { PagePaths } from '../paths.ts';
import { layout } from './layout.ts';
import { storeTabs } from './store-tabs.ts';
import { type StoreView, storeName } from './stores.ts';
import { plainLine } from './untrusted-text.ts';
import type { AccountView, Html } from './views.ts';

/** What stands in the fields: what is set, or what was typed and refused. */
export interface TypedSettings {
  readonly name: string;
  readonly link: string;
  readonly timezone: string;
  readonly currency: string;
  readonly vat_rate: string;
}

export interface TypedCost {
  readonly kind: AssumptionKind;
  readonly percent: string;
  readonly amount: string;
  readonly per: string;
  readonly from: string;
  readonly payment_method: string;
  readonly shipping_method: string;
  readonly country: string;
}

export interface StoreSettingsPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly business: StoreView;
  readonly typed: TypedSettings;
  readonly costs: readonly Assumption[];
  /** A cost that was refused. */
  readonly typedCost: TypedCost | null;
  /** The first day that is proposed for a cost, `YYYY-MM-DD`. */
  readonly today: string;
  readonly error: string | null;
  readonly notice: string | null;
}

export function storeSettingsPage(page: StoreSettingsPage): Html {
  const { paths, account, business, error, notice } = page;
  const body = html`
      ${storeTabs(paths, business.business_id, { current: 'settings' })}
      ${settingsForm(page)}
      ${costsSection(page)}
      <section class="card" aria-labelledby="delete">
        <h2 id="delete">Delete this store</h2>
        <p>All of its data here goes, for everybody.</p>
        <p><a class="button danger" href="${paths.deleteStore(business.business_id)}">Delete …</a></p>
      </section>`;
  return layout({
    title: plainLine(`Settings of ${business.name}`, 100),
    ...{ paths, account, body, error, notice },
  });
}

function settingsForm({ paths, business, typed, typedCost, error }: StoreSettingsPage): Html {
  const describedBy = error !== null && typedCost === null && html` aria-describedby="error"`;
  return html`<form class="card stack" method="post" action="${paths.settings(business.business_id)}">
        <div class="field">
          <label for="name">Name</label>
          <input id="name" name="name" type="text" value="${typed.name}" maxlength="100" autocomplete="off" required${describedBy}>
        </div>
        <div class="field">
          <label for="link">Web address (optional)</label>
          <input id="link" name="link" type="text" inputmode="url" value="${typed.link}" placeholder="https://shop.example" autocomplete="off" autocapitalize="none" spellcheck="false">
        </div>
        <div class="field">
          <label for="timezone">Time zone</label>
          <select id="timezone" name="timezone" aria-describedby="timezone-hint">
            ${choices(
              timezones().map((value) => ({ value, label: value })),
              typed.timezone,
            )}
          </select>
          <p class="hint" id="timezone-hint">Decides which day an order counts on.</p>
        </div>
        <div class="field">
          <label for="currency">Currency</label>
          <select id="currency" name="currency" aria-describedby="currency-hint">
            ${typed.currency === '' && html`<option value="" selected>None yet</option>`}
            ${choices(
              currencies().map(({ code, name }) => ({ value: code, label: `${code}: ${name}` })),
              typed.currency,
            )}
          </select>
          <p class="hint" id="currency-hint">Amounts are not converted: those without a currency of their own keep their numbers.</p>
        </div>
        <div class="field">
          <label for="vat-rate">VAT in your prices, in % (optional)</label>
          <input id="vat-rate" name="vat_rate" type="text" inputmode="decimal" value="${typed.vat_rate}" placeholder="21" autocomplete="off" aria-describedby="vat-rate-hint">
          <p class="hint" id="vat-rate-hint">For orders that do not say their VAT. Without it their profit is not known. 0 if you charge none.</p>
        </div>
        <div class="buttons"><button class="button primary" type="submit">Save</button></div>
      </form>`;
}

function choices(all: readonly { readonly value: string; readonly label: string }[], chosen: string): Html {
  const isListed = chosen === '' || all.some(({ value }) => value === chosen);
  const options = isListed ? all : [{ value: chosen, label: chosen }, ...all];
  return html`${options.map(({ value, label }) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`)}`;
}

const COSTS: Readonly<Record<AssumptionKind, { readonly title: string; readonly add: string }>> = {
  payment_fee: { title: 'Payment fees', add: 'What a payment costs you' },
  shipping_cost: { title: 'Shipping', add: 'What sending an order costs you' },
  packaging: { title: 'Packaging', add: 'What packing an order costs you' },
  email_cost: { title: 'E-mail', add: 'What your e-mail tool costs' },
  sms_cost: { title: 'SMS', add: 'What your SMS cost in a month' },
  ad_cost: { title: 'Advertising', add: 'What your ads cost in a month, if no ad costs are loaded' },
};

const KINDS = Object.keys(ASSUMPTION_KINDS) as readonly AssumptionKind[];

/** `1.4 % and 3 CZK an order` */
export function costInWords({ percent, amount, currency, per }: Assumption): string {
  const parts = [
    ...(percent === null ? [] : [`${percent} %`]),
    ...(amount === null ? [] : [`${amount} ${currency}`]),
  ];
  const of = { order: 'an order', thousand: 'for a thousand e-mails', month: 'a month' }[per];
  return `${parts.join(' and ')} ${of}`;
}

function costsSection(page: StoreSettingsPage): Html {
  const { costs } = page;
  return html`<section class="stack" aria-labelledby="costs">
        <h2 id="costs">Costs</h2>
        <p class="lead">What your files do not say, without VAT. Profit counts with it.</p>
        ${costs.length > 0 && html`<ul class="cards">${costs.map((cost) => html`<li class="card">${knownCost(page, cost)}</li>`)}</ul>`}
        <div class="guides">${KINDS.map((kind) => costForm(page, kind))}</div>
      </section>`;
}

function knownCost({ paths, business }: StoreSettingsPage, cost: Assumption): Html {
  const of = [cost.payment_method, cost.shipping_method, cost.country].filter((name) => name !== null);
  const { title } = COSTS[cost.kind];
  return html`<h3>${title}</h3>
          <p>${costInWords(cost)}, from ${cost.from_day} on${of.length > 0 && html`, for ${of.map((name, index) => html`${index > 0 && ', '}<bdi>${plainLine(name, 200)}</bdi>`)} alone`}</p>
          <form method="post" action="${paths.removeCost(business.business_id)}">
            <input type="hidden" name="assumption_id" value="${cost.assumption_id}">
            <button class="button danger" type="submit">Remove<span class="visually-hidden"> ${title}, ${costInWords(cost)}, from ${cost.from_day} on</span></button>
          </form>`;
}

/** A browser shows nothing of another text in a field of a date, and what was typed is kept. */
const ISO_DAY = /^\d{4}-\d\d-\d\d$/;

const SCOPES = {
  payment_method: 'Only for this payment method (optional)',
  shipping_method: 'Only for this shipping method (optional)',
  country: 'Only for this country (optional)',
} as const;

function costForm(page: StoreSettingsPage, kind: AssumptionKind): Html {
  const { paths, business, typedCost, today } = page;
  const typed = typedCost?.kind === kind ? typedCost : null;
  const { per, scopes, mayBePercent } = ASSUMPTION_KINDS[kind];
  const id = (field: string) => `${kind}-${field}`;
  const describedBy = typed !== null && html` aria-describedby="error"`;
  const money = `Amount in ${business.primary_currency ?? 'the currency of the store'}`;
  const field = (name: keyof TypedCost, label: string, more: Html) => html`<div class="field">
              <label for="${id(name)}">${label}</label>
              <input id="${id(name)}" name="${name}" value="${typed?.[name] ?? (name === 'from' ? today : '')}" autocomplete="off"${describedBy}${more}>
            </div>`;
  return html`<details class="card guide"${typed !== null && html` open`}>
          <summary><strong>Add: ${COSTS[kind].title}</strong> <span class="detail">${COSTS[kind].add}</span></summary>
          <form class="stack" method="post" action="${paths.addCost(business.business_id)}">
            <input type="hidden" name="kind" value="${kind}">
            ${mayBePercent && field('percent', 'Percent of what was paid', html` type="text" inputmode="decimal" placeholder="1.4"`)}
            ${field('amount', money, html` type="text" inputmode="decimal"`)}
            ${
              per.length > 1
                ? html`<div class="field">
              <label for="${id('per')}">The amount is</label>
              <select id="${id('per')}" name="per" required>
                <option value="">Choose …</option>
                ${per.map((unit) => html`<option value="${unit}"${typed?.per === unit && html` selected`}>${unit === 'thousand' ? 'for a thousand e-mails sent' : 'for a month'}</option>`)}
              </select>
            </div>`
                : html`<p class="hint">${per[0] === 'month' ? 'For a month.' : 'For one order.'}</p>`
            }
            ${scopes.map((scope) => field(scope, SCOPES[scope], html` type="text" maxlength="200" placeholder="as your orders have it"`))}
            ${field('from', 'From which day on', typed === null || ISO_DAY.test(typed.from) ? html` type="date" required` : html` type="text" placeholder="2026-01-01" required`)}
            <div class="buttons"><button class="button primary" type="submit">Add<span class="visually-hidden"> ${COSTS[kind].title}</span></button></div>
          </form>
        </details>`;
}

export interface DeleteStorePage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly business: StoreView;
  readonly error: string | null;
}

/** Asked once more, with what goes. */
export function deleteStorePage({ paths, account, business, error }: DeleteStorePage): Html {
  const body = html`
      <form class="card stack" method="post" action="${paths.deleteStore(business.business_id)}">
        <p>${storeName(business)}:</p>
        <ul class="cannot">
          <li>All its data, uploads and earlier versions are deleted here. Nobody can bring them back.</li>
          <li>Its connections and their keys go, and its settings and costs.</li>
          <li>Nobody can read it any more, here or in a connected app.</li>
        </ul>
        <ul class="can"><li>Your shop and your other tools are not touched.</li></ul>
        <label class="choice"><input type="checkbox" name="sure" value="yes" required${error !== null && html` aria-describedby="error"`}><span>Yes, delete all of it</span></label>
        <div class="buttons">
          <button class="button danger" type="submit">Delete the store</button>
          <a class="button" href="${paths.settings(business.business_id)}">Cancel</a>
        </div>
      </form>`;
  return layout({ title: 'Delete this store?', paths, account, error, body });
}

/** What was changed, said where the work of building the data anew has ended. */
export function changedSettings(before: StoreChange, now: StoreChange): Html {
  const notes = [
    ...(now.timezone === undefined
      ? []
      : [
          `Days, weeks and months are those of ${now.timezone ?? 'UTC'} now. Times that your files gave without a time zone were read in ${before.timezone ?? 'UTC'} and stay so: if that was wrong, upload those files again.`,
        ]),
    ...(now.primary_currency === undefined
      ? []
      : [
          `The store counts in ${now.primary_currency ?? 'no currency'} now. Amounts are not converted: those without a currency of their own keep their numbers. Orders in other currencies need exchange rates.`,
        ]),
    ...(now.vat_rate === undefined
      ? []
      : [
          now.vat_rate === null
            ? 'VAT is not known now for orders that do not say it.'
            : `VAT is ${now.vat_rate} % now for orders that do not say it.`,
        ]),
  ];
  return html`<ul>${(notes.length === 0 ? ['Nothing changed: it was set so already.'] : notes).map((note) => html`<li>${plainLine(note, 2000)}</li>`)}</ul>`;
}
