import { html } from 'hono/html';
import type { RefusedDeletions } from '../../live/reconcile/refused.ts';
import type { PagePaths } from '../paths.ts';
import { layout } from './layout.ts';
import type { SourceView } from './source-views.ts';
import { type StoreView, storeName } from './stores.ts';
import { plainLine } from './untrusted-text.ts';
import type { AccountView, Html } from './views.ts';

const NUMBER = new Intl.NumberFormat('en-GB');

/** `30 of 59 orders are not listed there any more`. */
export function deletionsInWords({ gone, known, title }: RefusedDeletions): string {
  return `${NUMBER.format(gone)} of ${NUMBER.format(known)} ${title} are not listed there any more`;
}

export interface ConfirmDeletionsPage {
  readonly paths: PagePaths;
  readonly account: AccountView;
  readonly business: StoreView;
  readonly source: SourceView;
  readonly refused: RefusedDeletions;
}

/** Asked once more, with how many may go and what stays. */
export function confirmDeletionsPage({
  paths,
  account,
  business,
  source,
  refused,
}: ConfirmDeletionsPage): Html {
  const { listing, title, gone } = refused;
  const at = paths.sourceDo(business.business_id, source.connection_id, 'gone');
  const count = NUMBER.format(gone);
  const body = html`
      <div class="card stack">
        <p><bdi>${plainLine(source.name, 100)}</bdi> of ${storeName(business)} (${source.vendor}): ${deletionsInWords(refused)}.</p>
        <ul class="cannot">
          <li>At most ${count} ${title} are deleted here, and no longer counted.</li>
          <li>They come back only where ${source.vendor} has them again and changes them, or from a file that you upload.</li>
        </ul>
        <ul class="can">
          <li>Each is asked for once more before: what ${source.vendor} still has stays.</li>
          <li>Where more than ${count} are gone by then, none is deleted, and you are asked again.</li>
          <li>What came from files or another source stays, and so do customers who bought.</li>
        </ul>
        <div class="buttons">
          <form method="post" action="${at}">
            <input type="hidden" name="kind" value="${listing}">
            <input type="hidden" name="count" value="${gone}">
            <button class="button danger" type="submit">Delete up to ${count} ${title}</button>
          </form>
          <a class="button" href="${paths.source(business.business_id, source.connection_id)}">Cancel</a>
        </div>
      </div>`;
  return layout({ title: `Delete ${title} that are gone?`, paths, account, body });
}
