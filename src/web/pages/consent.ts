import { html } from 'hono/html';
import { EVERY_PERMISSION } from '../../business/business.ts';
import type { Messages } from '../../messages/messages.ts';
import type { PagePaths } from '../paths.ts';
import { businessChoice } from './business-choice.ts';
import { describeRedirect } from './hosts.ts';
import { layout } from './layout.ts';
import { PERMISSION_TEXTS } from './permission-texts.ts';
import { untrustedHost, untrustedName } from './untrusted-text.ts';
import type { AccountView, BusinessView, ChosenBusinesses, ClientView, Html } from './views.ts';

export interface ConsentPage {
  readonly paths: PagePaths;
  /** The id of the app's request. */
  readonly uid: string;
  readonly account: AccountView;
  readonly client: ClientView;
  /** All businesses that the account may read. */
  readonly businesses: readonly BusinessView[];
  readonly error: string | null;
  readonly chosen: ChosenBusinesses;
  readonly endsAfterDays: number;
  readonly messages: Messages;
}

/** This page has no navigation: it asks one question, and everything else would lead away from it. */
export function consentPage(page: ConsentPage): Html {
  const { paths, uid, account, client, businesses, error, chosen, endsAfterDays, messages } = page;
  const { say, around } = messages;
  const body = html`
      ${whoAsks(client, messages)}
      <form class="stack" method="post" action="${paths.consent(uid)}">
        <input type="hidden" name="account" value="${account.email}">
        ${whatIsRead(businesses, messages)}
        <div class="card">${businessChoice({ businesses, chosen, error, messages })}</div>
        <div class="buttons">
          <button class="button primary" type="submit" name="decision" value="allow">${say('consent.allow')}</button>
          <button class="button" type="submit" name="decision" value="deny" formnovalidate>${say('settings.cancel')}</button>
        </div>
        <p class="hint">${say('consent.hint', { days: endsAfterDays })}</p>
      </form>
      <form class="aside signed-in" method="post" action="${paths.signOut}">
        <input type="hidden" name="return_to" value="${paths.consent(uid)}">
        <p>${around('consent.signed-in', { email: html`<strong><bdi>${account.email}</bdi></strong>` })}</p>
        <button class="link-button" type="submit">${say('consent.another')}</button>
      </form>`;
  return layout({ title: say('consent.title'), paths, account: null, error, body, messages });
}

function whoAsks({ client_name, redirect_host, metadata_host }: ClientView, messages: Messages): Html {
  const { say, around } = messages;
  return html`<section class="card" aria-labelledby="who-asks">
        <h2 id="who-asks">${say('consent.who')}</h2>
        <dl class="facts identity">
          <div><dt>${say('consent.calls-itself')}</dt><dd>${untrustedName(client_name, say('consent.no-name'))}</dd></div>
          <div><dt>${say('consent.back-to')}</dt><dd>${redirect_host === null ? say('consent.no-address') : describeRedirect(redirect_host, messages)}</dd></div>
        </dl>
        <p class="hint">${
          metadata_host === null
            ? say('consent.not-verified')
            : around('consent.identified', { host: html`<strong>${untrustedHost(metadata_host)}</strong>` })
        }</p>
        <p class="message warning">${say('consent.warning')}</p>
      </section>`;
}

function whatIsRead(businesses: readonly BusinessView[], { say }: Messages): Html {
  const held = EVERY_PERMISSION.filter((permission) =>
    businesses.some((business) => business.permissions.includes(permission)),
  );
  return html`<section class="card" aria-labelledby="what-is-read">
          <h2 id="what-is-read">${say('consent.can-read')}</h2>
          ${
            held.length === 0
              ? html`<p>${say('consent.nothing-yet')}</p>`
              : html`<ul class="can">${held.map((permission) => html`<li>${say(PERMISSION_TEXTS[permission].sentence)}</li>`)}</ul>`
          }
          <h3>${say('consent.never')}</h3>
          <ul class="cannot">
            <li>${say('consent.never-persons')}</li>
            <li>${say('consent.never-change')}</li>
          </ul>
        </section>`;
}
