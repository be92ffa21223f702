import { html } from 'hono/html';
import { COUNTRIES, currencies, timezones, type usualOf } from '../countries.ts';
import type { PagePaths } from '../paths.ts';
import { layout } from './layout.ts';
import { untrustedName } from './untrusted-text.ts';
import type { AccountView, Html } from './views.ts';

export interface NewStorePage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  /** What was typed so far. */
  readonly given: {
    readonly name: string;
    readonly link: string;
    readonly country: string;
    readonly timezone: string;
    readonly currency: string;
  };
  readonly error: string | null;
}

/** The first of two steps: what only the person knows. */
export function newStorePage({ paths, account, given, error }: NewStorePage): Html {
  const describedBy = error !== null && html` aria-describedby="error"`;
  const body = html`
      <form class="card stack" method="post" action="${paths.newStore}">
        <div class="field">
          <label for="name">Name of the store</label>
          <input id="name" name="name" type="text" value="${given.name}" maxlength="100" autocomplete="off" required${describedBy}>
        </div>
        <div class="field">
          <label for="country">Country</label>
          <select id="country" name="country" required aria-describedby="country-hint">
            ${given.country === '' && html`<option value="">Choose …</option>`}
            ${COUNTRIES.map(({ code, name }) => option(code, name, given.country))}
          </select>
          <p class="hint" id="country-hint">Where the store is. Time zone and currency are proposed by it on the next page.</p>
        </div>
        <div class="field">
          <label for="link">Address of the store (may be left out)</label>
          <input id="link" name="link" type="text" inputmode="url" value="${given.link}" placeholder="https://shop.example" autocomplete="off" autocapitalize="none" spellcheck="false">
        </div>
        <div class="buttons">
          <button class="button primary" type="submit">Continue</button>
          <a class="button" href="${paths.stores}">Cancel</a>
        </div>
      </form>`;
  return layout({ title: 'New store', paths, account, error, body });
}

export interface ChosenStorePage extends NewStorePage {
  readonly usual: NonNullable<ReturnType<typeof usualOf>>;
}

/** The second: what is usual in the country, to be changed or confirmed. */
export function chosenStorePage({ paths, account, given, usual, error }: ChosenStorePage): Html {
  const [first = '', second] = usual.timezones;
  const timezone = given.timezone || (second === undefined ? first : '');
  const currency = given.currency || usual.currency;
  const others = timezones().filter((name) => !usual.timezones.includes(name));
  const body = html`
      <form class="card stack" method="post" action="${paths.newStore}">
        <input type="hidden" name="name" value="${given.name}">
        <input type="hidden" name="country" value="${given.country}">
        <input type="hidden" name="link" value="${given.link}">
        <p>${untrustedName(given.name, 'The store')} in ${usual.country}: this is usual there. Change it if your store is different.</p>
        <div class="field">
          <label for="timezone">Time zone</label>
          <select id="timezone" name="timezone" required aria-describedby="timezone-hint">
            ${timezone === '' && html`<option value="">Choose …</option>`}
            <optgroup label="${usual.country}">${usual.timezones.map((name) => option(name, name, timezone))}</optgroup>
            <optgroup label="All others">${others.map((name) => option(name, name, timezone))}</optgroup>
          </select>
          <p class="hint" id="timezone-hint">It decides which day an order counts on. Choose what your shop shows.</p>
        </div>
        <div class="field">
          <label for="currency">Currency</label>
          <select id="currency" name="currency" required aria-describedby="currency-hint">
            ${currencies().map(({ code, name }) => option(code, `${code}: ${name}`, currency))}
          </select>
          <p class="hint" id="currency-hint">In which revenue is told.</p>
        </div>
        <div class="buttons">
          <button class="button primary" type="submit">Create store</button>
          <a class="button" href="${paths.newStore}">Back</a>
        </div>
      </form>`;
  return layout({ title: 'New store: time zone and currency', paths, account, error, body });
}

function option(value: string, label: string, chosen: string): Html {
  return html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`;
}
