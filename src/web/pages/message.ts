import { html } from 'hono/html';
import { ENGLISH, type Messages } from '../../messages/messages.ts';
import type { PagePaths } from '../paths.ts';
import { layout, type PageText, pageText } from './layout.ts';
import type { AccountView, Html } from './views.ts';

export interface MessagePage {
  readonly paths: PagePaths;
  readonly account: AccountView | null;
  readonly title: string;
  /** What happened. */
  readonly text: PageText;
  readonly whatToDo: PageText;
  readonly link: { readonly href: string; readonly label: string } | null;
  /** The messages of its language. Undefined: English. */
  readonly messages?: Messages;
}

export function messagePage(page: MessagePage): Html {
  const { paths, account, title, text, whatToDo, link, messages = ENGLISH } = page;
  const body = html`
      <div class="card">
        <p>${pageText(text, messages)}</p>
        <h2>${messages.say('layout.what-to-do')}</h2>
        <p>${pageText(whatToDo, messages)}</p>
        ${link && html`<p><a class="button primary" href="${link.href}">${link.label}</a></p>`}
      </div>`;
  return layout({ title, paths, account, body, narrow: account === null, messages });
}
