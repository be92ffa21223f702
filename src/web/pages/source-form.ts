import { html } from 'hono/html';
import { usualInterval } from '../../live/connect.ts';
import type { MissingScope, Vendor, VendorSecret } from '../../live/vendor.ts';
import type { PagePaths } from '../paths.ts';
import { layout } from './layout.ts';
import { type StoreView, storeName } from './stores.ts';
import { plainLine } from './untrusted-text.ts';
import type { AccountView, Html } from './views.ts';

interface FormPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly business: StoreView;
  readonly vendor: Vendor;
  readonly error: string | null;
}

export interface NewSourcePage extends FormPage {
  /** What was typed into the fields by their names; never a key. */
  readonly given: Readonly<Record<string, string>>;
}

/** How often a source can be read, in minutes. */
const INTERVALS = [
  { minutes: 5, label: 'every 5 minutes' },
  { minutes: 15, label: 'every 15 minutes' },
  { minutes: 60, label: 'every hour' },
  { minutes: 360, label: 'every 6 hours' },
  { minutes: 1440, label: 'once a day' },
] as const;

/** The names of fields of a form: for a setting, and for a secret. */
export const settingField = (name: string) => `setting_${name}`;
export const secretField = (name: string) => `secret_${name}`;

/** The settings of a vendor that a page asks for. */
export function shownSettings({ settings }: Vendor) {
  return Object.entries(settings.shape).flatMap(([name, schema]) => {
    const { title, description = '' } = schema.meta() ?? {};
    return title === undefined ? [] : [{ name, title, description, isOptional: schema.isOptional() }];
  });
}

/** The settings of a vendor that belong to a kind of key. */
export function keySettings(vendor: Vendor) {
  const ofKeys = Object.values(vendor.secrets).map(({ insteadOf }) => insteadOf);
  return shownSettings(vendor).filter(({ name }) => ofKeys.includes(name));
}

export function newSourcePage({ paths, account, business, vendor, given, error }: NewSourcePage): Html {
  const minutes = given.minutes || String(usualInterval(vendor) / 60);
  const body = html`
      <p class="lead">For ${storeName(business)}. Storesight reads there, and changes nothing.</p>
      ${guide(vendor)}
      <form class="card stack" method="post" action="${paths.newSource(business.business_id, vendor.name)}" autocomplete="off">
        ${settingFields(shownSettings(vendor), given)}
        ${secretFields(vendor, ({ isRare = false }) => !isRare)}
        <details>
          <summary>More</summary>
          <div class="stack">
            ${secretFields(vendor, ({ isRare = false }) => isRare)}
            <div class="field">
              <label for="minutes">How often it is read</label>
              <select id="minutes" name="minutes">${INTERVALS.map((each) => html`<option value="${each.minutes}"${String(each.minutes) === minutes && html` selected`}>${each.label}</option>`)}</select>
            </div>
            <div class="field">
              <label for="name">What to call it</label>
              <input id="name" name="name" type="text" value="${given.name ?? ''}" maxlength="40" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="name-hint">
              <p class="hint" id="name-hint">Small letters, digits and dashes. Without, ${vendor.name}.</p>
            </div>
          </div>
        </details>
        <p class="hint">The key is tried at once, which may take half a minute. It is kept sealed, and no page shows it again.</p>
        <div class="buttons">
          <button class="button primary" type="submit">Connect</button>
          <a class="button" href="${paths.sources(business.business_id)}">Cancel</a>
        </div>
      </form>`;
  return layout({ title: `Connect ${inSentence(vendor)}`, paths, account, error, body });
}

export interface SourceKeyPage extends FormPage {
  readonly source: { readonly connection_id: string; readonly name: string };
}

/** Another key for a connection that there is. */
export function sourceKeyPage({ paths, account, business, vendor, source, error }: SourceKeyPage): Html {
  const place = paths.source(business.business_id, source.connection_id);
  const body = html`
      <p class="lead">For <bdi>${plainLine(source.name, 100)}</bdi> of ${storeName(business)}. The key must be of the same account. What was read stays.</p>
      ${guide(vendor)}
      <form class="card stack" method="post" action="${paths.sourceDo(business.business_id, source.connection_id, 'key')}" autocomplete="off">
        ${settingFields(keySettings(vendor), {})}
        ${secretFields(vendor, () => true)}
        <p class="hint">The key is tried at once, which may take half a minute. The one before is used until then. Optional fields that stay empty are as they were.</p>
        <div class="buttons">
          <button class="button primary" type="submit">Use this key</button>
          <a class="button" href="${place}">Cancel</a>
        </div>
      </form>`;
  return layout({ title: 'Another key', paths, account, error, body });
}

export interface TriedPage extends Omit<FormPage, 'error'> {
  readonly isNew: boolean;
  readonly isPaused: boolean;
  readonly source: { readonly connection_id: string };
  readonly accountName: string;
  readonly missing: readonly MissingScope[];
  /** The names of secrets that were given and that no try can use. */
  readonly untried: readonly string[];
}

/** What a try of a key found out. */
export function triedPage({ paths, account, business, vendor, ...tried }: TriedPage): Html {
  const { isNew, isPaused, source, accountName, missing, untried } = tried;
  const next = isNew
    ? 'It is read from now on, by itself. The first time reads everything, and may take long.'
    : isPaused
      ? 'It is paused still.'
      : 'It is read again in a moment.';
  const body = html`
      <p class="message notice" role="status">The key works: <bdi>${plainLine(accountName, 100)}</bdi>. ${next}</p>
      ${untried.map((title) => html`<p class="message warning">${title} is kept, and could not be tried: it shows with the first webhook whether it is right.</p>`)}
      ${
        missing.length > 0 &&
        html`<section class="card message warning" aria-labelledby="missing">
        <h2 id="missing">What the key may not read</h2>
        <ul>${missing.map(({ scope, costs }) => html`<li>Without ${plainLine(scope, 200)}: ${plainLine(costs, 300)}.</li>`)}</ul>
        <p>If you want that, give the key more rights at ${inSentence(vendor)}, or make another one, and choose Another key here.</p>
      </section>`
      }
      <div class="buttons">
        <a class="button primary" href="${paths.source(business.business_id, source.connection_id)}">See how it goes</a>
        <a class="button" href="${paths.store(business.business_id)}">Back to the store</a>
      </div>`;
  return layout({ title: isNew ? 'Connected' : 'The key is changed', paths, account, body });
}

/** `A file at an address` within a sentence. */
function inSentence({ name, title }: Vendor): string {
  return name === 'url' ? title.replace(/^A/, 'a') : title;
}

function guide({ guide: steps }: Vendor): Html {
  return html`<section class="card" aria-labelledby="guide">
        <h2 id="guide">Where to get it</h2>
        <ol>${steps.map((step) => html`<li>${step}</li>`)}</ol>
      </section>`;
}

function settingFields(
  shown: ReturnType<typeof shownSettings>,
  given: Readonly<Record<string, string>>,
): Html {
  return html`${shown.map(({ name, title, description, isOptional }) => {
    const field = settingField(name);
    return html`<div class="field">
          <label for="${field}">${title}</label>
          <input id="${field}" name="${field}" type="text" value="${given[field] ?? ''}" maxlength="300" autocomplete="off" autocapitalize="none" spellcheck="false"${!isOptional && html` required`} aria-describedby="${field}-hint">
          <p class="hint" id="${field}-hint">${description}</p>
        </div>`;
  })}`;
}

function secretFields({ secrets }: Vendor, isMeant: (secret: VendorSecret) => boolean): Html {
  const meant = Object.entries(secrets).filter(([, secret]) => isMeant(secret));
  return html`${meant.map(([name, { title, description, isOptional = false }]) => {
    const field = secretField(name);
    return html`<div class="field">
          <label for="${field}">${title}${isOptional && ' (may be left out)'}</label>
          <input id="${field}" name="${field}" type="password" maxlength="4000" autocomplete="off" autocapitalize="none" spellcheck="false"${!isOptional && html` required`} aria-describedby="${field}-hint">
          <p class="hint" id="${field}-hint">${description}</p>
        </div>`;
  })}`;
}
