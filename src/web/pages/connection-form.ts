import { html } from 'hono/html';
import { usualInterval } from '../../live/connect.ts';
import type { MissingScope, Vendor, VendorSecret } from '../../live/vendor.ts';
import type { Messages } from '../../messages/messages.ts';
import type { PagePaths } from '../paths.ts';
import { layout, type PageText } from './layout.ts';
import { quoted, quotedLang } from './quoted-sentences.ts';
import { type StoreView, storeName } from './stores.ts';
import { plainLine } from './untrusted-text.ts';
import { VENDOR_WORDS, vendorInSentence } from './vendor-words.ts';
import type { AccountView, Html } from './views.ts';

interface FormPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly business: StoreView;
  readonly vendor: Vendor;
  readonly error: PageText | null;
  readonly messages: Messages;
}

export interface NewConnectionPage extends FormPage {
  /** What was typed into the fields, by their names; never a key. */
  readonly given: Readonly<Record<string, string>>;
}

/** How often a connection can be read, in minutes. */
const INTERVALS = [5, 15, 60, 360, 1440];

function everyMinutes(minutes: number, { say }: Messages): string {
  const named = { 60: 'new-source.hourly', 360: 'new-source.six-hours', 1440: 'new-source.daily' } as const;
  return minutes === 60 || minutes === 360 || minutes === 1440
    ? say(named[minutes])
    : say('new-source.minutes', { count: minutes });
}

/** The name of a form field for a setting; `secretField` is for a secret. */
export const settingField = (name: string) => `setting_${name}`;
export const secretField = (name: string) => `secret_${name}`;

/** The settings of a vendor that a page asks for. */
export function shownSettings({ settings }: Vendor) {
  return Object.entries(settings.shape).flatMap(([name, schema]) => {
    const { title, description = '' } = schema.meta() ?? {};
    return title === undefined ? [] : [{ name, title, description, isOptional: schema.isOptional() }];
  });
}

/** The settings that belong to the kind of key. */
export function keySettings(vendor: Vendor) {
  const ofKeys = Object.values(vendor.secrets).map(({ insteadOf }) => insteadOf);
  return shownSettings(vendor).filter(({ name }) => ofKeys.includes(name));
}

export function newConnectionPage(page: NewConnectionPage): Html {
  const { paths, account, business, vendor, given, error, messages } = page;
  const { say, around } = messages;
  const minutes = given.minutes || String(usualInterval(vendor) / 60);
  const body = html`
      <p class="lead">${around('new-source.lead', { store: storeName(business, messages) })}</p>
      ${guide(vendor, messages)}
      <form class="card stack" method="post" action="${paths.newConnection(business.business_id, vendor.name)}" autocomplete="off">
        ${settingFields(vendor, shownSettings(vendor), given, messages)}
        ${secretFields(vendor, ({ isRare = false }) => !isRare, messages)}
        <details>
          <summary>${say('new-source.more')}</summary>
          <div class="stack">
            ${secretFields(vendor, ({ isRare = false }) => isRare, messages)}
            <div class="field">
              <label for="minutes">${say('new-source.how-often')}</label>
              <select id="minutes" name="minutes">${INTERVALS.map((each) => html`<option value="${each}"${String(each) === minutes && html` selected`}>${everyMinutes(each, messages)}</option>`)}</select>
            </div>
            <div class="field">
              <label for="name">${say('new-source.name')}</label>
              <input id="name" name="name" type="text" value="${given.name ?? ''}" maxlength="40" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="name-hint">
              <p class="hint" id="name-hint">${say('new-source.name-hint', { vendor: vendor.name })}</p>
            </div>
          </div>
        </details>
        <p class="hint">${say('new-source.tried')}</p>
        <div class="buttons">
          <button class="button primary" type="submit">${say('sources.connect')}</button>
          <a class="button" href="${paths.connections(business.business_id)}">${say('settings.cancel')}</a>
        </div>
      </form>`;
  return layout({
    title: say('new-source.title', { vendor: vendorInSentence(vendor, messages) }),
    paths,
    account,
    error,
    body,
    messages,
  });
}

export interface ConnectionKeyPage extends FormPage {
  readonly connection: { readonly connection_id: string; readonly name: string };
}

/** The page on which a connection gets another key. */
export function connectionKeyPage(page: ConnectionKeyPage): Html {
  const { paths, account, business, vendor, connection, error, messages } = page;
  const { say, around } = messages;
  const name = html`<bdi>${plainLine(connection.name, 100)}</bdi>`;
  const place = paths.connection(business.business_id, connection.connection_id);
  const body = html`
      <p class="lead">${around('key.lead', { name, store: storeName(business, messages) })}</p>
      ${guide(vendor, messages)}
      <form class="card stack" method="post" action="${paths.connectionDo(business.business_id, connection.connection_id, 'key')}" autocomplete="off">
        ${settingFields(vendor, keySettings(vendor), {}, messages)}
        ${secretFields(vendor, () => true, messages)}
        <p class="hint">${say('key.tried')}</p>
        <div class="buttons">
          <button class="button primary" type="submit">${say('key.use')}</button>
          <a class="button" href="${place}">${say('settings.cancel')}</a>
        </div>
      </form>`;
  return layout({ title: say('source.another-key'), paths, account, error, body, messages });
}

export interface TriedPage extends Omit<FormPage, 'error'> {
  readonly isNew: boolean;
  readonly isPaused: boolean;
  readonly connection: { readonly connection_id: string };
  readonly accountName: string;
  readonly missing: readonly MissingScope[];
  /** The names of secrets that were given and that no try can check. */
  readonly untried: readonly string[];
}

/** The page that says what a try of a key found out. */
export function triedPage({ paths, account, business, vendor, messages, ...tried }: TriedPage): Html {
  const { say, around } = messages;
  const { isNew, isPaused, connection, accountName, missing, untried } = tried;
  const next = isNew ? say('tried.first') : isPaused ? say('tried.paused') : say('tried.soon');
  const body = html`
      <p class="message notice" role="status">${around('tried.works', { account: html`<bdi>${plainLine(accountName, 100)}</bdi>` })} ${next}</p>
      ${untried.map((title) => html`<p class="message warning">${say('tried.untried', { name: title })}</p>`)}
      ${
        missing.length > 0 &&
        html`<section class="card message warning" aria-labelledby="missing">
        <h2 id="missing">${say('tried.missing')}</h2>
        <ul${quotedLang(messages)}>${missing.map(({ scope, costs }) => html`<li>Without ${plainLine(scope, 200)}: ${plainLine(costs, 300)}.</li>`)}</ul>
        <p>${say('tried.want', { vendor: vendorInSentence(vendor, messages) })}</p>
      </section>`
      }
      <div class="buttons">
        <a class="button primary" href="${paths.connection(business.business_id, connection.connection_id)}">${say('tried.see')}</a>
        <a class="button" href="${paths.store(business.business_id)}">${say('upload.back')}</a>
      </div>`;
  return layout({
    title: say(isNew ? 'tried.connected' : 'tried.changed'),
    paths,
    account,
    body,
    messages,
  });
}

function guide({ name }: Vendor, { say }: Messages): Html | false {
  const steps = VENDOR_WORDS[name]?.guide ?? [];
  return (
    steps.length > 0 &&
    html`<section class="card" aria-labelledby="guide">
        <h2 id="guide">${say('new-source.where')}</h2>
        <ol>${steps.map(({ step, copy }) => html`<li>${say(step)}${copy !== undefined && html`<pre class="copyable" tabindex="0"><code>${breakable(copy)}</code></pre>`}</li>`)}</ol>
      </section>`
  );
}

/** A list is broken behind a comma, and not within a word. */
function breakable(copy: string): Html {
  return html`${copy.split(',').map((part, index) => html`${index > 0 && html`,<wbr>`}${part}`)}`;
}

function settingFields(
  vendor: Vendor,
  shown: ReturnType<typeof shownSettings>,
  given: Readonly<Record<string, string>>,
  messages: Messages,
): Html {
  return html`${shown.map(({ name, title, description, isOptional }) => {
    const field = settingField(name);
    const { label, hint } = fieldWords(vendor, { name, title, description }, messages);
    return html`<div class="field">
          <label for="${field}">${label}</label>
          <input id="${field}" name="${field}" type="text" value="${given[field] ?? ''}" maxlength="300" autocomplete="off" autocapitalize="none" spellcheck="false"${!isOptional && html` required`} aria-describedby="${field}-hint">
          <p class="hint" id="${field}-hint">${hint}</p>
        </div>`;
  })}`;
}

function secretFields(vendor: Vendor, isMeant: (secret: VendorSecret) => boolean, messages: Messages): Html {
  const { secrets } = vendor;
  const meant = Object.entries(secrets).filter(([, secret]) => isMeant(secret));
  // A vendor with two kinds of keys needs one of them, and the hints say which may be left out.
  const hasKinds = Object.values(secrets).some(({ insteadOf }) => insteadOf !== undefined);
  return html`${meant.map(([name, { title, description, isOptional = false }]) => {
    const field = secretField(name);
    const { label, hint } = fieldWords(vendor, { name, title, description }, messages);
    return html`<div class="field">
          <label for="${field}">${label}${isOptional && !hasKinds && ` ${messages.say('new-source.optional')}`}</label>
          <input id="${field}" name="${field}" type="password" maxlength="4000" autocomplete="off" autocapitalize="none" spellcheck="false"${!isOptional && html` required`} aria-describedby="${field}-hint">
          <p class="hint" id="${field}-hint">${hint}</p>
        </div>`;
  })}`;
}

/** The label and the hint of a field. They are English where nothing else is written for it. */
function fieldWords(
  vendor: Vendor,
  {
    name,
    title,
    description,
  }: { readonly name: string; readonly title: string; readonly description: string },
  messages: Messages,
) {
  const words = VENDOR_WORDS[vendor.name]?.fields[name];
  return {
    label: words?.label === undefined ? quoted(title, messages) : messages.say(words.label),
    hint: words === undefined ? quoted(description, messages) : messages.say(words.hint),
  };
}
