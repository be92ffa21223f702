import { html } from 'hono/html';
import { ENGLISH, type Messages } from '../../messages/messages.ts';
import type { PagePaths } from '../paths.ts';
import { quoted } from './quoted-sentences.ts';
import { plainLine } from './untrusted-text.ts';
import type { AccountView, Html } from './views.ts';

/** A text in the page's language, or an English one from a tool or another program, which is marked so. */
export type PageText = string | { readonly english: string };

export interface Layout {
  /** The first heading and the title of the window. */
  readonly title: string;
  readonly paths: PagePaths;
  /** The signed-in account; null leaves the navigation out. */
  readonly account: AccountView | null;
  readonly body: Html;
  /** Shown below the heading. A form refers to it by `aria-describedby="error"`. */
  readonly error?: PageText | null;
  /** What has just been done. */
  readonly notice?: string | null;
  /** The path of this page, if it is in the navigation. */
  readonly current?: string;
  /** Whether the page is one short form, and so narrow. */
  readonly narrow?: boolean;
  /** Whether the page has many numbers, and so wide. */
  readonly wide?: boolean;
  /**
   * The language of the whole page, of the body and of what stands around it. A page whose texts are not in
   * the catalogue gives no messages: it is English altogether, whatever the browser asks for.
   */
  readonly messages?: Messages;
}

/** A whole document. It needs only the style sheet: no script, no font, no image. */
export function layout(page: Layout): Html {
  const { paths, account, body, error = null, notice = null, current, narrow = false, wide = false } = page;
  const { messages = ENGLISH } = page;
  const { say } = messages;
  const title = plainLine(page.title);
  return html`<!doctype html>
<html lang="${messages.language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <meta name="color-scheme" content="light dark">
    <title>${error === null ? '' : `${say('layout.error')} `}${title} · Storesight</title>
    <link rel="icon" type="image/svg+xml" href="${paths.icon}">
    <link rel="stylesheet" href="${paths.styles}">
  </head>
  <body${(narrow || wide) && html` class="${narrow ? 'narrow' : 'wide'}"`}>
    <a class="skip-link" href="#main">${say('layout.skip')}</a>
    <header class="site-header">
      <div class="site-header-line">
        <a class="wordmark" href="${account === null ? paths.signIn : paths.stores}">${WORDMARK}</a>
        ${account && navigation(paths, current, messages)}
      </div>
    </header>
    <main id="main" tabindex="-1">
      <h1>${title}</h1>
      ${error !== null && html`<p class="message error" id="error" role="alert"><strong>${say('layout.error')}</strong> ${pageText(error, messages)}</p>`}
      ${notice !== null && html`<p class="message notice" role="status">${plainLine(notice)}</p>`}
      ${body}
    </main>
    <footer class="site-footer">
      <p>${say('layout.promise')}</p>
    </footer>
  </body>
</html>`;
}

/** The text, escaped and on one line. */
export function pageText(text: PageText, messages: Messages): Html | string {
  return typeof text === 'string' ? plainLine(text) : quoted(plainLine(text.english), messages);
}

const WORDMARK = html`
          <svg viewBox="0 0 24 24" width="28" height="28" aria-hidden="true" focusable="false">
            <rect width="24" height="24" rx="6" fill="currentColor"/>
            <path class="wordmark-bars" d="M7 17v-4M12 17V7M17 17v-7" fill="none" stroke-width="2.6" stroke-linecap="round"/>
          </svg>
          Storesight
        `;

function navigation(paths: PagePaths, current: string | undefined, { say }: Messages): Html {
  const links = [
    { href: paths.apps, label: say('layout.apps') },
    { href: paths.connect, label: say('layout.connect') },
    { href: paths.stores, label: say('layout.stores') },
    { href: paths.password, label: say('layout.password') },
  ];
  return html`<nav aria-label="${say('layout.account')}">
          <ul>
            ${links.map(
              ({ href, label }) =>
                html`<li><a href="${href}"${href === current && html` aria-current="page"`}>${label}</a></li>`,
            )}
            <li>
              <form method="post" action="${paths.signOut}"><button class="link-button" type="submit">${say('layout.sign-out')}</button></form>
            </li>
          </ul>
        </nav>`;
}
