import { html } from 'hono/html';
import type { PagePaths } from '../paths.ts';
import { layout } from './layout.ts';
import { plainLine } from './untrusted-text.ts';
import type { AccountView, Html } from './views.ts';

export interface MessagePage {
  readonly paths: PagePaths;
  readonly account: AccountView | null;
  readonly title: string;
  /** What happened. */
  readonly text: string;
  readonly whatToDo: string;
  readonly link: { readonly href: string; readonly label: string } | null;
}

export function messagePage({ paths, account, title, text, whatToDo, link }: MessagePage): Html {
  const body = html`
      <div class="card">
        <p>${plainLine(text)}</p>
        <h2>What to do now</h2>
        <p>${plainLine(whatToDo)}</p>
        ${link && html`<p><a class="button primary" href="${link.href}">${link.label}</a></p>`}
      </div>`;
  return layout({ title, paths, account, body, narrow: account === null });
}
