import { html } from 'hono/html';
import type { Messages } from '../../messages/messages.ts';
import type { PagePaths } from '../paths.ts';
import { appName } from './apps.ts';
import { businessChoice } from './business-choice.ts';
import { layout } from './layout.ts';
import type { AccountView, AppView, BusinessView, Html } from './views.ts';

export interface AppAccessPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  /** The app. Its `businesses` are ticked, or, after an error, those that the form sent. */
  readonly app: AppView;
  /** All businesses that the account may read. */
  readonly businesses: readonly BusinessView[];
  readonly error: string | null;
  readonly messages: Messages;
}

export function appAccessPage(page: AppAccessPage): Html {
  const { paths, account, app, businesses, error, messages } = page;
  const { say, around } = messages;
  const chosen = app.businesses === 'all' ? 'all' : app.businesses.map(({ business_id }) => business_id);
  const body = html`
      <p class="lead">${around('apps.reads-chosen', { app: html`<strong>${appName(app, messages)}</strong>` })}</p>
      <form class="stack" method="post" action="${paths.appAccess(app.grant_id)}">
        <div class="card">${businessChoice({ businesses, chosen, error, messages })}</div>
        <div class="buttons">
          <button class="button primary" type="submit">${say('settings.save')}</button>
          <a class="button" href="${paths.apps}">${say('settings.cancel')}</a>
        </div>
      </form>`;
  return layout({ title: say('apps.change'), paths, account, error, body, messages });
}
