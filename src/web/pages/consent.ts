import { html } from 'hono/html';
import { EVERY_PERMISSION } from '../../business/business.ts';
import type { PagePaths } from '../paths.ts';
import { businessChoice } from './business-choice.ts';
import { describeRedirect } from './hosts.ts';
import { layout } from './layout.ts';
import { PERMISSION_TEXTS } from './permission-texts.ts';
import { untrustedHost, untrustedName } from './untrusted-text.ts';
import type { AccountView, BusinessView, ChosenBusinesses, ClientView, Html } from './views.ts';

export interface ConsentPage {
  readonly paths: PagePaths;
  /** Names the request of the app. */
  readonly uid: string;
  readonly account: AccountView;
  readonly client: ClientView;
  /** All that the account may read. */
  readonly businesses: readonly BusinessView[];
  readonly error: string | null;
  readonly chosen: ChosenBusinesses;
  readonly endsAfterDays: number;
}

/** The page has no navigation: there is one question here, and everything else leads away from it. */
export function consentPage(page: ConsentPage): Html {
  const { paths, uid, account, client, businesses, error, chosen, endsAfterDays } = page;
  const body = html`
      ${whoAsks(client)}
      <form class="stack" method="post" action="${paths.consent(uid)}">
        <input type="hidden" name="account" value="${account.email}">
        ${whatIsRead(businesses)}
        <div class="card">${businessChoice({ businesses, chosen, error })}</div>
        <div class="buttons">
          <button class="button primary" type="submit" name="decision" value="allow">Allow</button>
          <button class="button" type="submit" name="decision" value="deny" formnovalidate>Cancel</button>
        </div>
        <p class="hint">You can change the stores or disconnect the app at any time, under “Connected apps”. The connection ends by itself after ${endsAfterDays} days.</p>
      </form>
      <form class="aside signed-in" method="post" action="${paths.signOut}">
        <input type="hidden" name="return_to" value="${paths.consent(uid)}">
        <p>Signed in as <strong><bdi>${account.email}</bdi></strong></p>
        <button class="link-button" type="submit">Use another account</button>
      </form>`;
  return layout({ title: 'Let this app read your stores?', paths, account: null, error, body });
}

function whoAsks({ client_name, redirect_host, metadata_host }: ClientView): Html {
  return html`<section class="card" aria-labelledby="who-asks">
        <h2 id="who-asks">Who asks</h2>
        <dl class="facts identity">
          <div><dt>The app calls itself</dt><dd>${untrustedName(client_name, 'nothing: it gave no name')}</dd></div>
          <div><dt>You will be sent back to</dt><dd>${redirect_host === null ? 'an address it did not name' : describeRedirect(redirect_host)}</dd></div>
        </dl>
        <p class="hint">${
          metadata_host === null
            ? 'This app registered itself; its name is not verified.'
            : html`Identified by a document at <strong>${untrustedHost(metadata_host)}</strong>.`
        }</p>
        <p class="message warning">Allow it only if you have just asked this app to connect. If not, choose Cancel.</p>
      </section>`;
}

function whatIsRead(businesses: readonly BusinessView[]): Html {
  const held = EVERY_PERMISSION.filter((permission) =>
    businesses.some((business) => business.permissions.includes(permission)),
  );
  return html`<section class="card" aria-labelledby="what-is-read">
          <h2 id="what-is-read">What it can read</h2>
          ${
            held.length === 0
              ? html`<p>Nothing yet. Later, what you yourself may read of the stores below.</p>`
              : html`<ul class="can">${held.map((permission) => html`<li>${PERMISSION_TEXTS[permission].sentence}</li>`)}</ul>`
          }
          <h3>What it never gets</h3>
          <ul class="cannot">
            <li>Names, addresses, e-mail addresses or phone numbers of customers.</li>
            <li>A way to change anything: it can only read.</li>
          </ul>
        </section>`;
}
