import { CHANNEL_RULES, type TouchTest } from '../definitions/channels.ts';
import { DETOUR_HOSTS } from '../definitions/detour-hosts.ts';
import { SEARCH_ENGINES, SHOPPING_SITES, SOCIAL_NETWORKS } from '../definitions/sites.ts';

/**
 * The channel rules as one SQL case over the columns `source`, `medium` and `campaign` in lower case, null
 * where empty, and `is_internal`.
 */
export function channelCase(): string {
  const cases = CHANNEL_RULES.map(({ channel, anyOf }) => {
    const conditions = anyOf.map((tests) =>
      Object.entries(tests)
        .map(([column, test]) => condition(column, test))
        .join(' and '),
    );
    return `when ${conditions.map((all) => (all === '' ? 'true' : `(${all})`)).join(' or ')} then '${channel}'`;
  });
  return `case ${cases.join('\n')} end`;
}

function condition(column: string, test: TouchTest): string {
  if (test.kind === 'internal') return 'is_internal';
  if (test.kind === 'empty') return `${column} is null`;
  return `regexp_matches(${column}, '${test.pattern}')`;
}

/**
 * The hosts from which nobody comes anew: the store's own and those where customers pay or sign in.
 *
 * @param link of the business. A page at a marketplace or a network is a link too, but its host is not the
 *   store's.
 */
export function internalHosts(link: string | null): readonly string[] {
  const host = URL.parse(link ?? '')?.hostname.replace(/^www\./, '');
  if (host === undefined || host === '') return DETOUR_HOSTS;
  const name = host.split('.').at(-2) ?? host;
  const isShared = [SEARCH_ENGINES, SHOPPING_SITES, SOCIAL_NETWORKS].some(
    (sites) => sites.includes(host) || sites.includes(name),
  );
  return isShared ? DETOUR_HOSTS : [host, ...DETOUR_HOSTS];
}
