import { html } from 'hono/html';
import { ASSUMPTION_KINDS, type Assumption, type AssumptionKind } from '../../business/assumptions.ts';
import { currencies, timezones } from '../../business/countries.ts';
import type { StoreChange } from '../../control/businesses/uploads.ts';
import type { PlainKey } from '../../messages/catalogue.ts';
import type { Messages } from '../../messages/messages.ts';
import type { PagePaths } from '../paths.ts';
import { layout } from './layout.ts';
import { storeTabs } from './store-tabs.ts';
import { type StoreView, storeName } from './stores.ts';
import { plainLine } from './untrusted-text.ts';
import type { AccountView, Html } from './views.ts';

/** The contents of the fields: the settings, or what was typed and refused. */
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
  /** The first day that the form proposes for a cost, `YYYY-MM-DD`. */
  readonly today: string;
  readonly error: string | null;
  readonly notice: string | null;
  readonly messages: Messages;
}

export function storeSettingsPage(page: StoreSettingsPage): Html {
  const { paths, account, business, error, notice, messages } = page;
  const { say } = messages;
  const body = html`
      ${storeTabs(paths, business.business_id, { current: 'settings', messages })}
      ${settingsForm(page)}
      ${costsSection(page)}
      <section class="card" aria-labelledby="delete">
        <h2 id="delete">${say('settings.delete-title')}</h2>
        <p>${say('settings.delete-lead')}</p>
        <p><a class="button danger" href="${paths.deleteStore(business.business_id)}">${say('settings.delete-more')}</a></p>
      </section>`;
  return layout({
    title: plainLine(say('settings.title', { name: business.name }), 100),
    paths,
    account,
    body,
    error,
    notice,
    messages,
  });
}

function settingsForm(page: StoreSettingsPage): Html {
  const { paths, business, typed, typedCost, error, messages } = page;
  const { say } = messages;
  const describedBy = error !== null && typedCost === null && html` aria-describedby="error"`;
  return html`<form class="card stack" method="post" action="${paths.settings(business.business_id)}">
        <div class="field">
          <label for="name">${say('settings.name')}</label>
          <input id="name" name="name" type="text" value="${typed.name}" maxlength="100" autocomplete="off" required${describedBy}>
        </div>
        <div class="field">
          <label for="link">${say('settings.link')}</label>
          <input id="link" name="link" type="text" inputmode="url" value="${typed.link}" placeholder="https://shop.example" autocomplete="off" autocapitalize="none" spellcheck="false">
        </div>
        <div class="field">
          <label for="timezone">${say('upload.timezone')}</label>
          <select id="timezone" name="timezone" aria-describedby="timezone-hint">
            ${choices(
              timezones().map((value) => ({ value, label: value })),
              typed.timezone,
            )}
          </select>
          <p class="hint" id="timezone-hint">${say('upload.timezone-hint')}</p>
        </div>
        <div class="field">
          <label for="currency">${say('upload.currency')}</label>
          <select id="currency" name="currency" aria-describedby="currency-hint">
            ${typed.currency === '' && html`<option value="" selected>${say('settings.no-currency')}</option>`}
            ${choices(
              currencies().map(({ code }) => ({ value: code, label: `${code}: ${messages.currency(code)}` })),
              typed.currency,
            )}
          </select>
          <p class="hint" id="currency-hint">${say('settings.currency-hint')}</p>
        </div>
        <div class="field">
          <label for="vat-rate">${say('settings.vat')}</label>
          <input id="vat-rate" name="vat_rate" type="text" inputmode="decimal" value="${typed.vat_rate}" placeholder="21" autocomplete="off" aria-describedby="vat-rate-hint">
          <p class="hint" id="vat-rate-hint">${say('settings.vat-hint')}</p>
        </div>
        <p class="hint">${say('settings.save-hint')}</p>
        <div class="buttons"><button class="button primary" type="submit">${say('settings.save')}</button></div>
      </form>`;
}

function choices(all: readonly { readonly value: string; readonly label: string }[], chosen: string): Html {
  const isListed = chosen === '' || all.some(({ value }) => value === chosen);
  const options = isListed ? all : [{ value: chosen, label: chosen }, ...all];
  return html`${options.map(({ value, label }) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`)}`;
}

const COSTS: Readonly<Record<AssumptionKind, { readonly title: PlainKey; readonly add: PlainKey }>> = {
  payment_fee: { title: 'costs.payment', add: 'costs.payment-add' },
  shipping_cost: { title: 'costs.shipping', add: 'costs.shipping-add' },
  packaging: { title: 'costs.packaging', add: 'costs.packaging-add' },
  email_cost: { title: 'costs.email', add: 'costs.email-add' },
  sms_cost: { title: 'costs.sms', add: 'costs.sms-add' },
  ad_cost: { title: 'costs.ads', add: 'costs.ads-add' },
};

const KINDS = Object.keys(ASSUMPTION_KINDS) as readonly AssumptionKind[];

/** `1.4 % and 3 CZK an order`. */
export function costInWords({ percent, amount, currency, per }: Assumption, messages: Messages): string {
  const { say, and, number } = messages;
  const parts = [
    ...(percent === null ? [] : [`${number(percent)} %`]),
    ...(amount === null ? [] : [`${number(amount)} ${currency}`]),
  ];
  const unit = { order: 'costs.of-order', thousand: 'costs.of-thousand', month: 'costs.of-month' } as const;
  return say(unit[per], { cost: and(parts) });
}

function costsSection(page: StoreSettingsPage): Html {
  const { costs, messages } = page;
  const { say } = messages;
  return html`<section class="stack" aria-labelledby="costs">
        <h2 id="costs">${say('costs.title')}</h2>
        <p class="lead">${say('costs.lead')}</p>
        ${
          costs.length === 0
            ? html`<p>${say('costs.none')}</p>`
            : html`<ul class="cards">${costs.map((cost) => html`<li class="card">${knownCost(page, cost)}</li>`)}</ul>`
        }
        <div class="guides">${KINDS.map((kind) => costForm(page, kind))}</div>
      </section>`;
}

function knownCost({ paths, business, messages }: StoreSettingsPage, cost: Assumption): Html {
  const { say, around } = messages;
  const of = [cost.payment_method, cost.shipping_method, cost.country].filter((name) => name !== null);
  const title = say(COSTS[cost.kind].title);
  const from = { cost: costInWords(cost, messages), day: messages.day(cost.from_day) };
  const names = html`${of.map((name, index) => html`${index > 0 && ', '}<bdi>${plainLine(name, 200)}</bdi>`)}`;
  return html`<h3>${title}</h3>
          <p>${of.length === 0 ? say('costs.from', from) : around('costs.from-only', { ...from, names })}</p>
          <form method="post" action="${paths.removeCost(business.business_id)}">
            <input type="hidden" name="assumption_id" value="${cost.assumption_id}">
            <button class="button danger" type="submit">${say('costs.remove')}<span class="visually-hidden"> ${title}, ${say('costs.from', from)}</span></button>
          </form>`;
}

/** A date field shows nothing for any other text, so what was typed is kept apart. */
const ISO_DAY = /^\d{4}-\d\d-\d\d$/;

const SCOPES = {
  payment_method: 'costs.only-payment',
  shipping_method: 'costs.only-shipping',
  country: 'costs.only-country',
} as const;

function costForm(page: StoreSettingsPage, kind: AssumptionKind): Html {
  const { paths, business, typedCost, today, messages } = page;
  const { say } = messages;
  const { primary_currency } = business;
  const typed = typedCost?.kind === kind ? typedCost : null;
  const { per, scopes, mayBePercent } = ASSUMPTION_KINDS[kind];
  const id = (field: string) => `${kind}-${field}`;
  const describedBy = typed !== null && html` aria-describedby="error"`;
  const money =
    primary_currency === null ? say('costs.amount') : say('costs.amount-in', { currency: primary_currency });
  const field = (name: keyof TypedCost, label: string, more: Html) => html`<div class="field">
              <label for="${id(name)}">${label}</label>
              <input id="${id(name)}" name="${name}" value="${typed?.[name] ?? (name === 'from' ? today : '')}" autocomplete="off"${describedBy}${more}>
            </div>`;
  return html`<details class="card guide"${typed !== null && html` open`}>
          <summary><strong>${say('costs.add', { cost: say(COSTS[kind].title) })}</strong> <span class="detail">${say(COSTS[kind].add)}</span></summary>
          <form class="stack" method="post" action="${paths.addCost(business.business_id)}">
            <input type="hidden" name="kind" value="${kind}">
            ${mayBePercent && field('percent', say('costs.percent'), html` type="text" inputmode="decimal" placeholder="1.4"`)}
            ${field('amount', money, html` type="text" inputmode="decimal"`)}
            ${
              per.length > 1
                ? html`<div class="field">
              <label for="${id('per')}">${say('costs.amount-is')}</label>
              <select id="${id('per')}" name="per" required>
                <option value="">${say('upload.choose')}</option>
                ${per.map((unit) => html`<option value="${unit}"${typed?.per === unit && html` selected`}>${say(unit === 'thousand' ? 'costs.for-thousand' : 'costs.for-month')}</option>`)}
              </select>
            </div>`
                : html`<p class="hint">${say(per[0] === 'month' ? 'costs.one-month' : 'costs.one-order')}</p>`
            }
            ${scopes.map((scope) => field(scope, say(SCOPES[scope]), html` type="text" maxlength="200" placeholder="${say('costs.as-orders')}"`))}
            ${field('from', say('costs.from-day'), typed === null || ISO_DAY.test(typed.from) ? html` type="date" required` : html` type="text" placeholder="2026-01-01" required`)}
            <div class="buttons"><button class="button primary" type="submit">${say('costs.add-it')}<span class="visually-hidden"> ${say(COSTS[kind].title)}</span></button></div>
          </form>
        </details>`;
}

export interface DeleteStorePage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly business: StoreView;
  readonly error: string | null;
  readonly messages: Messages;
}

/** Asks once more, saying what is deleted. */
export function deleteStorePage({ paths, account, business, error, messages }: DeleteStorePage): Html {
  const { say } = messages;
  const body = html`
      <form class="card stack" method="post" action="${paths.deleteStore(business.business_id)}">
        <p>${storeName(business, messages)}:</p>
        <ul class="cannot">
          <li>${say('delete.data')}</li>
          <li>${say('delete.connections')}</li>
          <li>${say('delete.nobody')}</li>
        </ul>
        <ul class="can"><li>${say('delete.untouched')}</li></ul>
        <label class="choice"><input type="checkbox" name="sure" value="yes" required${error !== null && html` aria-describedby="error"`}><span>${say('delete.sure')}</span></label>
        <div class="buttons">
          <button class="button danger" type="submit">${say('delete.do')}</button>
          <a class="button" href="${paths.settings(business.business_id)}">${say('settings.cancel')}</a>
        </div>
      </form>`;
  return layout({ title: say('delete.title'), paths, account, error, body, messages });
}

/** Which settings were changed, shown once the data have been built anew. */
export function changedSettings(before: StoreChange, now: StoreChange, { say, number }: Messages): Html {
  const { timezone, primary_currency, vat_rate } = now;
  const notes = [
    timezone !== undefined &&
      say('changed.days', { now: timezone ?? 'UTC', before: before.timezone ?? 'UTC' }),
    primary_currency !== undefined &&
      say('changed.currency', { currency: primary_currency ?? say('stores.no-currency') }),
    vat_rate !== undefined &&
      (vat_rate === null ? say('changed.no-vat') : say('changed.vat', { rate: number(vat_rate) })),
  ].filter((note) => note !== false);
  return html`<ul>${(notes.length === 0 ? [say('changed.nothing')] : notes).map((note) => html`<li>${plainLine(note, 2000)}</li>`)}</ul>`;
}
