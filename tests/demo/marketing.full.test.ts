import { beforeAll, describe, expect, it } from 'vitest';
import type { MarketingTruth } from '../../tools/made-shop/generator/marketing/marketing-truth.ts';
import type { MessageEventRow, SendRow } from '../../tools/made-shop/generator/marketing/rows.ts';
import { customerOf, moment, validOrders, type WrittenShop, writeAndReadShop } from './written-shop.ts';

/**
 * Campaigns of the made shop as anybody may read them: whether they fit together, and truths counted once
 * more.
 */
let shop: WrittenShop;
let truth: MarketingTruth;
let sendsById: Map<string, SendRow>;
let campaignOf: Map<string, string>;

beforeAll(async () => {
  shop = await writeAndReadShop(0.3);
  truth = shop.truth.marketing;
  sendsById = new Map(shop.sends.map((row) => [row.send_id, row]));
  campaignOf = new Map(shop.messages.map((row) => [row.message_id, row.campaign_id]));
});

const HISTORY_END = Date.parse('2026-09-30T23:59:59+02:00');

describe('rows', () => {
  it('have unique keys', () => {
    const keys = {
      campaigns: shop.campaigns.map((row) => row.campaign_id),
      messages: shop.messages.map((row) => row.message_id),
      links: shop.links.map((row) => row.link_id),
      sends: shop.sends.map((row) => row.send_id),
      messageEvents: shop.messageEvents.map((row) => row.event_id),
      popupEvents: shop.popupEvents.map((row) => row.event_id),
      segments: shop.segments.map((row) => row.segment_id),
      audience: shop.audience.map((row) => `${row.campaign_id}/${row.profile_id}/${row.entered_at}`),
      consents: shop.consents.map((row) => `${row.profile_id}/${row.channel}/${row.at}`),
      lists: shop.interestListEvents.map((row) => `${row.code}/${row.profile_id}/${row.at}`),
    };
    for (const [table, values] of Object.entries(keys)) {
      expect([table, new Set(values).size]).toEqual([table, values.length]);
    }
  });

  it('refer only to rows that exist', () => {
    const profiles = new Set(shop.profiles.map((row) => row.profile_id));
    const campaigns = new Set(shop.campaigns.map((row) => row.campaign_id));
    const links = new Map(shop.links.map((row) => [row.link_id, row.message_id]));
    const sessions = new Map(shop.sessions.map((row) => [row.session_id, row.visitor_id]));
    const products = new Set(shop.products.map((row) => row.external_product_id));
    const lists = new Set(shop.interestLists.map((row) => row.code));
    const unknown = [
      ...shop.messages.filter((row) => !campaigns.has(row.campaign_id)),
      ...shop.messages.filter((row) => row.product_ids?.some((id) => !products.has(id))),
      ...shop.links.filter((row) => !campaignOf.has(row.message_id)),
      ...shop.audience.filter((row) => !campaigns.has(row.campaign_id) || !profiles.has(row.profile_id)),
      ...shop.sends.filter((row) => !campaignOf.has(row.message_id) || !profiles.has(row.profile_id)),
      ...shop.messageEvents.filter(
        ({ send_id, link_id }) =>
          !sendsById.has(send_id) ||
          (link_id !== undefined && links.get(link_id) !== sendsById.get(send_id)?.message_id),
      ),
      ...shop.consents.filter((row) => !profiles.has(row.profile_id)),
      ...shop.consents.filter((row) => row.send_id !== undefined && !sendsById.has(row.send_id)),
      ...shop.interestListEvents.filter((row) => !lists.has(row.code) || !profiles.has(row.profile_id)),
      ...shop.popupEvents.filter(
        ({ session_id, visitor_id }) => session_id !== undefined && sessions.get(session_id) !== visitor_id,
      ),
    ];
    expect(unknown).toEqual([]);
  });

  it('lie within the history, and nothing happens to a message before it is sent, or that did not arrive', () => {
    const late = [
      ...shop.sends.map((row) => row.sent_at),
      ...shop.messageEvents.map((row) => row.at),
      ...shop.consents.map((row) => row.at),
      ...shop.popupEvents.map((row) => row.at),
      ...shop.interestListEvents.map((row) => row.at),
    ].filter((at) => moment(at) > HISTORY_END);
    expect(late).toEqual([]);
    const impossible = shop.messageEvents.filter(({ send_id, at }) => {
      const send = sendsById.get(send_id);
      return send?.outcome !== 'delivered' || moment(at) <= moment(send.delivered_at ?? send.sent_at);
    });
    expect(impossible).toEqual([]);
  });

  it('go to subscribers alone where they are sent to many, and everybody in the audience got one or has a reason', () => {
    const oneOffs = new Map(
      shop.campaigns
        .filter((row) => row.campaign_type.startsWith('targeted-'))
        .map((row) => [row.campaign_id, row.campaign_type.endsWith('sms') ? 'sms' : 'email']),
    );
    const histories = Map.groupBy(shop.consents, (row) => `${row.channel} ${row.profile_id}`);
    const sent = shop.sends.filter((row) => oneOffs.has(campaignOf.get(row.message_id) ?? ''));
    const entries = new Map(
      shop.audience.map((row) => [`${row.campaign_id} ${row.profile_id}`, row.entered_at]),
    );
    const unwanted = sent.filter(({ message_id, profile_id }) => {
      const campaign_id = campaignOf.get(message_id) ?? '';
      // The winner of a test follows hours later; who left meanwhile gets it all the same.
      const entered_at = moment(entries.get(`${campaign_id} ${profile_id}`) ?? '');
      const history = histories.get(`${oneOffs.get(campaign_id)} ${profile_id}`) ?? [];
      const before = history.filter((change) => moment(change.at) <= entered_at);
      return before.toSorted((a, b) => moment(a.at) - moment(b.at)).at(-1)?.state !== 'subscribed';
    });
    expect(unwanted).toEqual([]);
    const members = shop.audience.filter((row) => row.outcome === 'sent' && oneOffs.has(row.campaign_id));
    expect(members.length).toBe(sent.length);
  });

  it('name a campaign that has been sent by then, in sessions from newsletters and SMS', () => {
    const firstSent = new Map<string, number>();
    for (const { message_id, sent_at } of shop.sends) {
      const tag = tagOf(campaignOf.get(message_id)) ?? '';
      firstSent.set(tag, Math.min(firstSent.get(tag) ?? Number.POSITIVE_INFINITY, moment(sent_at)));
    }
    const own = shop.sessions.filter(({ medium }) => medium === 'email' || medium === 'sms');
    const unknown = own.filter(
      ({ campaign, started_at }) =>
        (firstSent.get(campaign ?? '') ?? Number.POSITIVE_INFINITY) >= moment(started_at),
    );
    expect(unknown).toEqual([]);
    expect(own.length).toBeGreaterThan(100);
  });

  it('have visits where people click the messages of automations that sell', () => {
    const visits = new Set(shop.sessions.map(({ campaign }) => campaign));
    const clicked = new Map<string, number>();
    for (const row of shop.messageEvents.filter(({ kind, is_bot }) => kind === 'click' && !is_bot)) {
      const campaign_id = campaignOf.get(sendsById.get(row.send_id)?.message_id ?? '') ?? '';
      clicked.set(campaign_id, (clicked.get(campaign_id) ?? 0) + 1);
    }
    const often = shop.campaigns.filter(
      ({ campaign_id, campaign_type, category }) =>
        campaign_type.startsWith('incremental-') &&
        !['transactional', 'double_opt_in'].includes(category ?? '') &&
        (clicked.get(campaign_id) ?? 0) >= 25,
    );
    expect(often.length).toBeGreaterThan(1);
    for (const { utm_campaign } of often) expect(visits).toContain(utm_campaign);
  });

  it('lie in a visit of their visitor where they are of popups', () => {
    const sessions = new Map(shop.sessions.map((row) => [row.session_id, row]));
    const astray = shop.popupEvents.filter(({ session_id, visitor_id, at }) => {
      const session = sessions.get(session_id ?? '');
      return session?.visitor_id !== visitor_id || moment(session.started_at) > moment(at);
    });
    expect(astray).toEqual([]);
  });

  it('went out at many times of day where they are one-off messages', () => {
    const ofMany = shop.campaigns.filter(({ scheduled_at }) => scheduled_at !== undefined);
    const times = Map.groupBy(ofMany, ({ scheduled_at = '' }) => scheduled_at.slice(11, 16));
    expect(times.size).toBeGreaterThan(8);
    expect(Math.max(...[...times.values()].map((rows) => rows.length))).toBeLessThan(ofMany.length / 3);
  });

  it('name a campaign whose link the customer clicked just before, or had from somebody, in sessions from newsletters', () => {
    const customers = new Map(
      shop.identities.flatMap(({ kind, value, profile_id }) =>
        kind === 'visitor' ? [[value, profile_id] as const] : [],
      ),
    );
    const got = new Set(
      shop.sends.map(({ message_id, profile_id }) => `${tagOf(campaignOf.get(message_id))} ${profile_id}`),
    );
    const tagged = shop.sessions.filter(
      ({ medium, campaign, visitor_id }) =>
        medium === 'email' && got.has(`${campaign} ${customers.get(visitor_id)}`),
    );
    const clicks = new Set(
      shop.messageEvents
        .filter((row) => row.kind === 'click')
        .map((row) => `${utmOf(row)} ${moment(row.at)}`),
    );
    const without = tagged.filter(
      ({ campaign, started_at }) =>
        ![1, 2, 3].some((seconds) => clicks.has(`${campaign} ${moment(started_at) - seconds * 1_000}`)),
    );
    expect(without).toEqual([]);
    expect(tagged.length).toBeGreaterThan(40);
  });

  function utmOf({ send_id }: MessageEventRow): string | undefined {
    return tagOf(campaignOf.get(sendsById.get(send_id)?.message_id ?? ''));
  }

  function tagOf(campaign_id: string | undefined): string | undefined {
    return shop.campaigns.find((row) => row.campaign_id === campaign_id)?.utm_campaign;
  }
});

describe('truths', () => {
  it('hold for tests: deliveries and people who clicked, by message', () => {
    const clicksOf = Map.groupBy(
      shop.messageEvents.filter((row) => row.kind === 'click' && !row.is_bot),
      (row) => row.send_id,
    );
    for (const { variants, winner } of [
      truth.campaigns.clear_test,
      truth.campaigns.test_without_difference,
    ]) {
      for (const { message_id, delivered_count, unique_clicks_count } of [...variants, winner]) {
        const delivered = shop.sends.filter(
          (row) => row.message_id === message_id && row.outcome === 'delivered',
        );
        expect(delivered.length).toBe(delivered_count);
        const isUnsubscribing = (row: MessageEventRow) =>
          row.link_id?.endsWith(unsubscribeOf(message_id)) ?? false;
        const clicked = delivered.filter(({ send_id }) => {
          const clicks = (clicksOf.get(send_id) ?? []).filter((row) => !isUnsubscribing(row));
          // A filter that says nothing of itself opens every link at once; people come back for another one.
          const bursts = clicks
            .map((first) => clicks.filter(({ at }) => isWithin(at, first.at, 5)))
            .filter((burst) => new Set(burst.map((row) => row.link_id)).size >= 3);
          return clicks.some((row) => !bursts.some((burst) => burst.includes(row)));
        });
        expect(clicked.length).toBe(unique_clicks_count);
      }
    }
  });

  function isWithin(at: string, start: string, seconds: number): boolean {
    return moment(at) >= moment(start) && moment(at) <= moment(start) + seconds * 1_000;
  }

  function unsubscribeOf(message_id: string): string {
    const link = shop.links.find((row) => row.message_id === message_id && row.link_type === 'unsubscribe');
    return `-${link?.position}`;
  }

  it('hold for a control group: orders in the seven days after', () => {
    const { campaign_id, ...counts } = truth.campaigns.control_group;
    const customer = customerOf(shop);
    const orders = Map.groupBy(validOrders(shop), customer);
    const count = (outcome: string) => {
      const members = shop.audience.filter(
        (row) => row.campaign_id === campaign_id && row.outcome === outcome,
      );
      const converted = members.filter(({ profile_id, entered_at }) =>
        (orders.get(profile_id) ?? []).some(({ ordered_at }) => {
          const days = (moment(ordered_at) - moment(entered_at)) / 86_400_000;
          return days > 0 && days <= 7;
        }),
      );
      return [members.length, converted.length];
    };
    const [treated_count, treated_converted_count] = count('sent');
    const [control_count, control_converted_count] = count('control');
    expect({ treated_count, treated_converted_count, control_count, control_converted_count }).toEqual(
      counts,
    );
  });

  it('hold for popups: displays, submissions and new subscribers of a quarter', () => {
    const { from_date, to_date, campaigns } = truth.popups;
    const inRange = shop.popupEvents.filter(
      ({ at }) => at.slice(0, 10) >= from_date && at.slice(0, 10) <= to_date,
    );
    const visitors = new Map<string, string>();
    const customer = customerOf(shop);
    for (const order of shop.orders) {
      if (order.visitor_id !== null) visitors.set(order.visitor_id, customer(order));
    }
    for (const { kind, value, profile_id } of shop.identities) {
      if (kind === 'visitor') visitors.set(value, profile_id);
    }
    for (const { campaign_id, name: _, new_subscribers_count, ...counts } of campaigns) {
      const own = inRange.filter((row) => row.campaign_id === campaign_id);
      const [displays, closes, submits] = ['display', 'close', 'submit'].map((kind) =>
        own.filter((row) => row.kind === kind),
      );
      const unique = (rows: typeof own = []) =>
        new Set(rows.map(({ visitor_id }) => visitors.get(visitor_id) ?? visitor_id)).size;
      expect({
        displays_count: displays?.length,
        unique_displays_count: unique(displays),
        closes_count: closes?.length,
        submissions_count: submits?.length,
        unique_submissions_count: unique(submits),
      }).toEqual(counts);
      const channel = campaign_id === 'popup-sms-klub' ? 'sms' : 'email';
      const joined = submits?.filter(({ profile_id, at }) => {
        const subscribed = shop.consents.filter(
          (row) => row.profile_id === profile_id && row.channel === channel && row.state === 'subscribed',
        );
        const first = Math.min(...subscribed.map((row) => moment(row.at)));
        return Number.isFinite(first) && first >= moment(at);
      });
      expect(joined?.length).toBe(new_subscribers_count);
    }
  });

  it('hold for interest lists: members before, joined, left, after', () => {
    const { from_date, to_date, interest_lists } = truth.interest_lists;
    for (const { code, ...counts } of interest_lists) {
      const members = new Set<string>();
      let [before, joined, left] = [0, 0, 0];
      const events = shop.interestListEvents
        .filter((row) => row.code === code)
        .toSorted((a, b) => moment(a.at) - moment(b.at));
      for (const { profile_id, at, kind } of events) {
        if (at.slice(0, 10) > to_date) break;
        const isChange = members.has(profile_id) !== (kind === 'subscribed');
        if (kind === 'subscribed') members.add(profile_id);
        else members.delete(profile_id);
        if (at.slice(0, 10) < from_date) before = members.size;
        else if (isChange) kind === 'subscribed' ? joined++ : left++;
      }
      expect({
        subscribed_at_start_count: before,
        subscribed_count: joined,
        unsubscribed_count: left,
        net_growth: joined - left,
        subscribed_at_end_count: members.size,
      }).toEqual(counts);
    }
  });
});
