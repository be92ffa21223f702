import { html, raw } from 'hono/html';
import type { Messages } from '../../messages/messages.ts';
import type { Findings } from '../../overview/findings.ts';
import type { Overview } from '../../overview/overview.ts';
import { findingsOf } from './findings.ts';
import { numbersOf } from './overview.ts';
import { STYLES } from './styles.ts';
import { plainLine } from './untrusted-text.ts';
import type { Html } from './views.ts';

/** The overview and its findings as one file, to send and to print. It loads nothing and has no links. */
export function reportPage(overview: Overview, findings: Findings | null, messages: Messages): Html {
  const name = plainLine(overview.store.name, 100);
  return html`<!doctype html>
<html lang="${messages.language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>${name}, ${messages.days(overview.days.from_date, overview.days.to_date)}</title>
    <style>${raw(STYLES)}</style>
  </head>
  <body class="wide">
    <main>
      <h1>${name}</h1>
      ${numbersOf(overview, null, messages)}
      ${findings !== null && findingsOf(findings, messages)}
    </main>
  </body>
</html>
`;
}
