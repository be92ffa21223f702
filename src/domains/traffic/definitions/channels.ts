import {
  AI_ASSISTANTS,
  PRICE_COMPARISON_SITES,
  SEARCH_ENGINES,
  SHOPPING_SITES,
  SOCIAL_NETWORKS,
  VIDEO_SITES,
} from './sites.ts';

/**
 * Decides into which channel a session belongs: that of the first rule that fits. Mostly Google's default
 * channel groups; our own messages (SMS, e-mail, push) come before everything that is paid, so that they
 * never fall into it.
 */
export interface ChannelRule {
  readonly channel: string;
  /** One of these fits. */
  readonly anyOf: readonly TouchTests[];
}

/**
 * The tests of a touch, all of which must fit. Texts are compared in lower case; no test but `empty` fits an
 * empty one.
 */
type TouchTests = Partial<Record<'referrer' | 'source' | 'medium' | 'campaign', TouchTest>>;

export type TouchTest =
  | { readonly kind: 'empty' }
  /** A host of the store itself, or one where customers pay or sign in. */
  | { readonly kind: 'internal' }
  /** A regular expression that finds something in the text. */
  | { readonly kind: 'pattern'; readonly pattern: string };

const empty: TouchTest = { kind: 'empty' };
const matches = (pattern: string): TouchTest => ({ kind: 'pattern', pattern });
/** One of these words. */
const is = (...words: readonly string[]) => matches(`^(${words.join('|')})$`);

const isPaid = matches('^(.*cp.*|ppc|retargeting|paid.*)$');
const isShoppingCampaign = matches('^(.*(([^a-df-z]|^)shop|shopping).*)$');
const isEmail = is('e?-?_?mail', 'newsletter');
const isShopping = from(SHOPPING_SITES);
const isSearch = from(SEARCH_ENGINES, '(www|m|search|r\\.search|images|news|[a-z]{2})');
const isSocial = from(SOCIAL_NETWORKS);
const isVideo = from(VIDEO_SITES);

export const CHANNEL_RULES: readonly ChannelRule[] = [
  { channel: 'Internal', anyOf: [{ referrer: { kind: 'internal' } }] },
  { channel: 'Direct', anyOf: [{ source: empty, medium: empty }] },
  { channel: 'SMS', anyOf: [{ source: is('sms') }, { medium: is('sms') }] },
  { channel: 'Email', anyOf: [{ source: isEmail }, { medium: isEmail }] },
  { channel: 'Mobile Push', anyOf: [{ medium: matches('push$|mobile|notification') }] },
  {
    channel: 'Cross-network',
    anyOf: [{ campaign: matches('cross-network|performance[ _-]?max|(^|[^a-z])pmax([^a-z]|$)') }],
  },
  {
    channel: 'Paid Shopping',
    anyOf: [
      { source: isShopping, medium: isPaid },
      { campaign: isShoppingCampaign, medium: isPaid },
    ],
  },
  { channel: 'Paid Search', anyOf: [{ source: isSearch, medium: isPaid }] },
  { channel: 'Paid Social', anyOf: [{ source: isSocial, medium: isPaid }] },
  { channel: 'Paid Video', anyOf: [{ source: isVideo, medium: isPaid }] },
  { channel: 'Display', anyOf: [{ medium: is('display', 'banner', 'expandable', 'interstitial', 'cpm') }] },
  { channel: 'Paid Other', anyOf: [{ medium: isPaid }] },
  { channel: 'Price comparison', anyOf: [{ source: from(PRICE_COMPARISON_SITES) }] },
  { channel: 'AI assistants', anyOf: [{ source: from(AI_ASSISTANTS) }] },
  { channel: 'Organic Shopping', anyOf: [{ source: isShopping }, { campaign: isShoppingCampaign }] },
  {
    channel: 'Organic Social',
    anyOf: [{ source: isSocial }, { medium: is('social([ -](network|media))?', 'sm') }],
  },
  { channel: 'Organic Video', anyOf: [{ source: isVideo }, { medium: matches('video') }] },
  { channel: 'Organic Search', anyOf: [{ source: isSearch }, { medium: is('organic') }] },
  { channel: 'Affiliates', anyOf: [{ medium: is('affiliates?') }] },
  { channel: 'Referral', anyOf: [{ medium: is('referral', 'app', 'link') }] },
  { channel: 'Audio', anyOf: [{ medium: is('audio') }] },
  { channel: 'Unassigned', anyOf: [{}] },
];

export const CHANNELS: readonly string[] = CHANNEL_RULES.map(({ channel }) => channel);

/**
 * A source that is one of the sites. A site with a dot is a host; one without is a name, alone or under any
 * domain (`google`, `google.com`, `www.google.co.uk`).
 *
 * @param subdomains which of them belong to the site
 */
function from(sites: readonly string[], subdomains = '.+'): TouchTest {
  const hosts = sites.map((site) =>
    site.includes('.') ? site.replaceAll('.', '\\.') : `${site}(\\.[a-z]{2,4}){0,2}`,
  );
  return matches(`^(${subdomains}\\.)?(${hosts.join('|')})$`);
}
