/** How `shortNames` writes them, for the reader. */
export const SHORT_NAMES_IN_WORDS =
  '`sms_{channel_, campaign_}`: sms_channel_statistics, sms_campaign_statistics; `brand_trend`: ' +
  'brand_statistics_trend; `brand_+`: brand_statistics too; after a dot a part of the answer';

/**
 * `order_+, email_{channel_, link_}, get_campaign`: names of tools without what is the same in most of them.
 */
export function shortNames(names: readonly string[]): string {
  const shortened = names.flatMap((name) => shortName(name, names));
  return [...Map.groupBy(shortened, (name) => name.slice(0, name.indexOf('_') + 1))]
    .map(([start, same]) =>
      same.length === 1 ? same[0] : `${start}{${same.map((name) => name.slice(start.length)).join(', ')}}`,
    )
    .join(', ');
}

function shortName(name: string, names: readonly string[]): string[] {
  const [, subject, trend, part = ''] = /^(.+_)statistics(_trend)?(\.\w+)?$/.exec(name) ?? [];
  if (subject === undefined) return [name];
  if (part !== '') return [`${subject}${trend === undefined ? '' : 'trend'}${part}`];
  if (trend !== undefined) return names.includes(`${subject}statistics`) ? [] : [`${subject}trend`];
  return [names.includes(`${name}_trend`) ? `${subject}+` : subject];
}
