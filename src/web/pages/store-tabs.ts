import { html } from 'hono/html';
import type { PagePaths } from '../paths.ts';
import type { Html } from './views.ts';

type StoreTab = 'overview' | 'data' | 'settings' | 'team';

/**
 * The pages of one store.
 *
 * @param isManager whether they may change the store; others see its numbers alone
 */
export function storeTabs(
  paths: PagePaths,
  businessId: string,
  { current, isManager = true }: { readonly current: StoreTab; readonly isManager?: boolean },
): Html {
  const tabs: readonly { readonly tab: StoreTab; readonly href: string; readonly label: string }[] = [
    { tab: 'overview', href: paths.overview(businessId), label: 'Overview' },
    { tab: 'data', href: paths.store(businessId), label: 'Data' },
    { tab: 'settings', href: paths.settings(businessId), label: 'Settings' },
    { tab: 'team', href: paths.managers(businessId), label: 'Team access' },
  ];
  return html`<nav class="tabs" aria-label="This store">
        <ul>${tabs.slice(0, isManager ? tabs.length : 1).map(({ tab, href, label }) => html`<li><a href="${href}"${tab === current && html` aria-current="page"`}>${label}</a></li>`)}</ul>
      </nav>`;
}
