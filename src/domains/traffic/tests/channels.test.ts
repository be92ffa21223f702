import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { emptyStore } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';
import { CHANNELS } from '../definitions/channels.ts';

/**
 * Source, medium, campaign, and more of a session; each chosen by hand, most of them traps of a neighbouring
 * rule.
 */
type Text = string | undefined;
type Touch = readonly [Text?, Text?, Text?, Readonly<Record<string, string>>?];

const EXPECTED: Readonly<Record<string, readonly Touch[]>> = {
  Internal: [
    [undefined, undefined, undefined, { referrer_host: 'shop.example' }],
    [undefined, undefined, undefined, { referrer_host: 'www.Shop.example' }],
    [undefined, undefined, undefined, { referrer_host: 'blog.shop.example' }],
    [undefined, undefined, undefined, { referrer_host: 'gate.gopay.cz' }],
    [undefined, undefined, undefined, { referrer_host: '3dsecure.gpwebpay.com' }],
    ['www.paypal.com', 'referral'],
    ['shop.example', 'referral'],
    // A visit that was tagged on the store's own pages is no new visit.
    ['newsletter', 'email', 'banner', { referrer_host: 'shop.example' }],
  ],
  Direct: [
    [],
    ['(direct)', '(none)'],
    ['(direct)', '(not set)'],
    [' (Direct) ', '(None)'],
    [undefined, undefined, 'spring'],
  ],
  SMS: [
    ['sms', 'text'],
    ['smsmanager', 'sms'],
    ['SMS', 'cpc'],
    ['facebook', 'sms'],
  ],
  Email: [
    ['newsletter', 'cpc'],
    ['klaviyo', 'email'],
    ['Klaviyo', 'E-Mail'],
    ['x', 'e_mail'],
    ['mail', 'x'],
    ['google', 'email', 'shopping cpc'],
    ['facebook', 'newsletter'],
  ],
  'Mobile Push': [
    ['onesignal', 'push'],
    ['x', 'web-push'],
    ['app', 'mobile'],
    ['google', 'mobile_cpc'],
    ['x', 'notification'],
  ],
  'Cross-network': [
    ['google', 'cpc', '(cross-network)'],
    ['google', 'cpc', 'CZ Performance Max shopping'],
    ['google', 'cpc', 'performance_max_cz'],
    ['google', 'cpc', 'PMax | shoes'],
  ],
  'Paid Shopping': [
    ['amazon', 'cpc'],
    ['www.ebay.co.uk', 'paid'],
    ['google', 'cpc', 'Shopping CZ'],
    ['bing', 'ppc', 'shop'],
    ['google', 'cpc', 'cz_shop_brand'],
    ['google', 'cpc', 'eshop'],
    ['x', 'retargeting', 'workshopping'],
  ],
  'Paid Search': [
    ['google', 'cpc'],
    ['Google', 'CPC', 'brand'],
    ['google', 'cpc', 'workshop'],
    ['seznam', 'cpc'],
    ['search.seznam.cz', 'ppc'],
    ['bing', 'paidsearch'],
    ['www.google.cz', 'cpm'],
    // Tagged by the advertiser's click id alone.
    [undefined, undefined, undefined, { click_id_kind: 'gclid' }],
    [undefined, undefined, undefined, { click_id_kind: 'msclkid', referrer_host: 'www.bing.com' }],
  ],
  'Paid Social': [
    ['facebook', 'cpc'],
    ['m.facebook.com', 'paid_social'],
    ['ig', 'cpm'],
    ['l.instagram.com', 'paid'],
    ['t.co', 'ppc'],
    ['tiktok', 'retargeting'],
  ],
  'Paid Video': [
    ['youtube', 'cpc'],
    ['youtu.be', 'paid'],
    ['vimeo.com', 'cpv-cp'],
  ],
  Display: [
    ['criteo', 'display'],
    ['x', 'banner'],
    ['x', 'Interstitial'],
    ['x', 'expandable'],
    ['adform', 'cpm'],
  ],
  'Paid Other': [
    ['criteo', 'cpc'],
    ['x', 'retargeting'],
    ['heureka', 'cpc'],
    ['zbozi.cz', 'paid'],
    [undefined, 'cpc'],
  ],
  'Price comparison': [
    ['heureka', 'product'],
    ['heureka.cz', 'referral'],
    ['heureka.sk', 'referral', 'shopping'],
    ['www.zbozi.cz', 'referral'],
    ['idealo.co.uk', 'affiliate'],
    ['arukereso.hu'],
    [undefined, undefined, undefined, { referrer_host: 'obuv.heureka.cz' }],
  ],
  'AI assistants': [
    ['chatgpt.com'],
    ['chatgpt.com', 'referral'],
    ['ChatGPT', '(not set)'],
    ['www.perplexity.ai', 'referral'],
    ['gemini.google.com', 'referral'],
    ['copilot.microsoft.com', 'organic'],
    ['claude.ai', 'referral'],
  ],
  'Organic Shopping': [
    ['amazon.de', 'referral'],
    ['x', 'organic', 'google shopping'],
    ['shopping.google.com', 'referral'],
    ['allegro', 'x'],
  ],
  'Organic Social': [
    ['facebook', 'referral'],
    ['m.facebook.com', 'referral'],
    ['lm.facebook.com', 'organic'],
    ['x', 'social'],
    ['x', 'Social-Network'],
    ['x', 'sm'],
    ['cz.pinterest.com', 'referral'],
    [undefined, undefined, undefined, { referrer_host: 'out.reddit.com' }],
  ],
  'Organic Video': [
    ['youtube.com', 'referral'],
    ['x', 'my-video-medium'],
  ],
  'Organic Search': [
    ['google', 'organic'],
    ['google', 'referral'],
    ['Seznam', 'Organic'],
    ['duckduckgo.com', 'referral'],
    ['unknown', 'organic'],
    [undefined, undefined, undefined, { referrer_host: 'www.google.co.uk' }],
  ],
  Affiliates: [
    ['ehub', 'affiliate'],
    ['dognet', 'Affiliates'],
  ],
  Referral: [
    ['blog.example', 'referral'],
    ['x', 'app'],
    ['x', 'link'],
    // Other services of search engines, and names that only end like a site or like the store.
    ['docs.google.com', 'referral'],
    ['mail.google.com', 'referral'],
    ['notfacebook.com', 'referral'],
    ['notshop.example', 'referral'],
    ['shop.example.evil', 'referral'],
    [undefined, undefined, undefined, { referrer_host: 'blog.example' }],
  ],
  Audio: [['spotify', 'audio']],
  Unassigned: [
    ['x', 'y'],
    ['x'],
    [undefined, 'newsletters-2024'],
    ["x'; drop table sessions; --", 'y'],
    ['x', 'affiliate-network'],
  ],
};

let test: TestInstance;
let channels: Map<string, string | null>;
const touches = Object.entries(EXPECTED).flatMap(([channel, rows]) =>
  rows.map((touch, index) => ({ channel, touch, path: `/${channel}/${index}`.replaceAll(' ', '-') })),
);

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({
    timezone: 'UTC',
    currency: 'EUR',
    link: 'https://www.shop.example/cz/',
  });
  await test.importStore(business, {
    ...emptyStore({ timezone: 'UTC', primary_currency: 'EUR' }),
    sessions: touches.map(({ touch: [source, medium, campaign, more], path }, index) => ({
      ...{
        session_id: `s${index}`,
        visitor_id: `v${index}`,
        started_at: '2024-05-01T12:00:00',
        source,
        medium,
        campaign,
      },
      ...more,
      landing_path: path,
    })),
  });
  const { sessions } = (await test.ask('session_statistics', {
    business_id: business.business_id,
    ...{ from_date: '2024-05-01T00:00:00', to_date: '2024-05-01T23:59:59' },
    ...{ group_by: 'landing_page', limit: 1000 },
  })) as { sessions: { key: string; channel: string | null }[] };
  channels = new Map(sessions.map(({ key, channel }) => [key, channel]));
});

afterAll(() => test[Symbol.asyncDispose]());

it('has the 22 channels in their order', () => {
  expect(CHANNELS).toEqual(Object.keys(EXPECTED));
  expect(CHANNELS).toHaveLength(22);
});

describe.each(Object.keys(EXPECTED))('%s', (channel) => {
  it.each(touches.filter((touch) => touch.channel === channel))('$touch', ({ path }) => {
    expect(channels.get(path)).toBe(channel);
  });
});
