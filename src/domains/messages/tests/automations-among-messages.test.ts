// What automations do to the numbers of messages: they go out when people act, and one that is silent has no
// row.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { emptyStore, type Store } from '../../../../tests/oracle/store.ts';
import { createTestInstance, type TestInstance } from '../../../../tests/support/test-instance.ts';

let test: TestInstance;
let business_id: string;
const MAY = { from_date: '2024-05-01', to_date: '2024-05-31' };

/**
 * A newsletter of 60 in May; a cart of 20 in May, at another hour; a welcome of 12 in April and none since; a
 * rare one of 3.
 */
const SENT = [
  ...Array.from({ length: 60 }, (_, place) => ['news', `2024-05-14T08:00:00Z`, place] as const),
  ...Array.from(
    { length: 20 },
    (_, place) => ['cart', `2024-05-${10 + (place % 9)}T19:00:00Z`, place] as const,
  ),
  ...Array.from({ length: 12 }, (_, place) => ['welcome', `2024-04-${10 + place}T19:00:00Z`, place] as const),
  ...Array.from({ length: 3 }, (_, place) => ['rare', `2024-04-${10 + place}T19:00:00Z`, place] as const),
];

function shop(): Store {
  const store = emptyStore({ timezone: 'Europe/Prague', primary_currency: 'CZK' });
  for (const campaign_id of ['news', 'cart', 'welcome', 'rare']) {
    store.campaigns.push({
      ...{ campaign_id, name: `The ${campaign_id}`, created_at: '2024-01-01T00:00:00Z', state: 'active' },
      campaign_type: campaign_id === 'news' ? 'targeted-emailing' : 'incremental-emailing',
    });
    store.messages.push({ message_id: campaign_id, campaign_id, channel: 'email', subject: campaign_id });
  }
  for (const [message_id, sent_at, place] of SENT)
    store.sends.push({ send_id: `${message_id}-${place}`, message_id, email: `p${place}@x.cz`, sent_at });
  return store;
}

beforeAll(async () => {
  test = await createTestInstance();
  const business = await test.createBusiness({ timezone: 'Europe/Prague', currency: 'CZK' });
  await test.importStore(business, shop());
  business_id = business.business_id;
});

afterAll(() => test[Symbol.asyncDispose]());

async function notesOf(tool: string, more: object, is: RegExp) {
  const id = tool === 'query_metrics' ? { business_ids: [business_id] } : { business_id };
  return ((await test.run(tool, { ...id, ...MAY, ...more })).notes ?? []).filter((note) => is.test(note));
}

const AUTOMATED = /of automations, which/;
const mixed = (how: string) =>
  // Counted by hand: 20 of the 80 messages of May.
  `25 % of these messages are of automations, which go out when people act and are clicked more: rates by time mix them with campaigns, so no best time follows. ${how}`;

it('says that times mix automations with campaigns', async () => {
  expect(await notesOf('email_channel_statistics', { times: 'hour' }, AUTOMATED)).toEqual([
    mixed(
      // No campaign was sent at two times, so that click_rate_difference is null in all rows.
      'For campaigns alone ask with filter_campaign_types.',
    ),
  ]);
  const byHour = { metrics: ['email_click_rate'], group_by: ['hour'] };
  expect(await notesOf('query_metrics', byHour, AUTOMATED)).toEqual([
    mixed('For campaigns alone filter by campaign_type.'),
  ]);
});

it('says it of automations alone, and of nothing that is not by time, or of campaigns alone', async () => {
  const alone = { filter_campaign_types: ['incremental-emailing'] };
  expect(await notesOf('email_channel_statistics', { times: 'hour', ...alone }, AUTOMATED)).toEqual([
    'All these messages are of automations, which go out when people act: their times are no choice of yours, and tell no best time to send.',
  ]);
  const campaigns = { filter_campaign_types: ['targeted-emailing'] };
  for (const [tool, more] of [
    ['email_channel_statistics', {}],
    ['email_channel_statistics', { times: 'hour', ...campaigns }],
    ['query_metrics', { metrics: ['email_click_rate'], group_by: ['campaign_type', 'hour'] }],
    ['query_metrics', { metrics: ['email_click_rate'] }],
    [
      'query_metrics',
      {
        ...{ metrics: ['email_click_rate'], group_by: ['weekday'] },
        filters: [{ dimension: 'campaign_type', in: ['targeted-emailing'] }],
      },
    ],
  ] as const)
    expect(await notesOf(tool, more, AUTOMATED), tool).toEqual([]);
});

const QUIET = /^Automations that sent nothing/;
const quietNote = (ending: string) =>
  // Counted by hand: 12 messages in the 12 days until the last one.
  `Automations that sent nothing for long until the end of the range: "The welcome" (since 2024-04-21, usually 7 a week). ${ending}`;
const WELCOME = quietNote(
  'Either nobody was to be written to, or they stopped: is_silent of incremental_campaign_statistics tells what is known of that.',
);

it.each(['email_channel_statistics', 'email_campaign_statistics', 'email_campaign_type_statistics'])(
  '%s names automations that fell silent',
  async (tool) => {
    expect(await notesOf(tool, {}, QUIET)).toEqual([WELCOME]);
  },
);

it('names one that stopped within the range, and none that sent in the last week of it', async () => {
  const until = (to_date: string) =>
    notesOf('email_channel_statistics', { from_date: '2024-04-01', to_date }, QUIET);
  expect(await until('2024-04-30')).toEqual([WELCOME]);
  // Six days, and seven.
  expect(await until('2024-04-27')).toEqual([]);
  expect(await until('2024-04-28')).toEqual([WELCOME]);
});

it('agrees with is_silent where the answer has it', async () => {
  const silentIn = async (range: object) => {
    const { result } = await test.run('incremental_campaign_statistics', { business_id, ...range });
    const { campaigns } = result as { campaigns: { campaign_id: string; is_silent: boolean }[] };
    return campaigns.filter(({ is_silent }) => is_silent).map(({ campaign_id }) => campaign_id);
  };
  const april = { from_date: '2024-04-01', to_date: '2024-04-30' };
  for (const range of [MAY, april]) {
    const silent = await silentIn(range);
    expect(await notesOf('incremental_campaign_statistics', range, QUIET)).toEqual(
      silent.includes('welcome') ? [quietNote('By is_silent they are probably broken.')] : [],
    );
  }
  expect(await silentIn(MAY)).toEqual(['welcome']);
});

it('names none that a filter leaves out, or of a range without known messages', async () => {
  const campaigns = { filter_campaign_types: ['targeted-emailing'] };
  expect(await notesOf('email_channel_statistics', campaigns, QUIET)).toEqual([]);
  expect(await notesOf('sms_channel_statistics', {}, QUIET)).toEqual([]);
  const june = { from_date: '2024-06-01', to_date: '2024-06-30' };
  expect(await notesOf('email_channel_statistics', june, QUIET)).toEqual([]);
});
