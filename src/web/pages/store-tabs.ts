import { html } from 'hono/html';
import type { Messages } from '../../messages/messages.ts';
import type { PagePaths } from '../paths.ts';
import type { Html } from './views.ts';

type StoreTab = 'overview' | 'data' | 'settings' | 'team';

/**
 * The pages of one store, for its managers.
 */
export function storeTabs(
  paths: PagePaths,
  businessId: string,
  { current, messages: { say } }: { readonly current: StoreTab; readonly messages: Messages },
): Html {
  const tabs: readonly { readonly tab: StoreTab; readonly href: string; readonly label: string }[] = [
    { tab: 'overview', href: paths.overview(businessId), label: say('overview.overview') },
    { tab: 'data', href: paths.store(businessId), label: say('overview.data') },
    { tab: 'settings', href: paths.settings(businessId), label: say('tabs.settings') },
    { tab: 'team', href: paths.managers(businessId), label: say('tabs.team') },
  ];
  return html`<nav class="tabs" aria-label="${say('overview.tabs')}">
        <ul>${tabs.map(({ tab, href, label }) => html`<li><a href="${href}"${tab === current && html` aria-current="page"`}>${label}</a></li>`)}</ul>
      </nav>`;
}
