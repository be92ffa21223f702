import type { Shelf } from '../carts.ts';
import type { ConsentEvent } from '../consents.ts';
import type { Customer } from '../customers.ts';
import type { Order } from '../orders.ts';
import type { Product } from '../product.ts';
import type { Session } from '../sessions.ts';
import type { ProfileRow } from '../tables.ts';
import type { World } from '../world.ts';
import { ordersByCustomer } from './audiences.ts';
import { runAutomations } from './automation-sends.ts';
import type { Campaign } from './campaign.ts';
import { arrivedByRecipient, CampaignSources, clickBeforeOrders, clickToSessions } from './clicks.ts';
import { makeSendingDomains } from './delivery.ts';
import { endConsents } from './exits.ts';
import {
  type Membership,
  makeInterestListEventRows,
  makeInterestLists,
  makeNewsletterMemberships,
  makeTopicMemberships,
} from './interest-lists.ts';
import { visitClicks } from './mail-visits.ts';
import { contentRows, makeAudienceRows, makeMessageEventRows, makeSendRows } from './marketing-rows.ts';
import { sendOneOffEmails } from './one-off-sends.ts';
import { makeLeadProfiles, makePopupEventRows, makePopups, type PopupEvent } from './popups.ts';
import { react } from './reactions.ts';
import { makeRecipients, type Recipient } from './recipients.ts';
import { makeSegments } from './segments.ts';
import type { Entry, Send } from './send.ts';
import { sendOneOffTexts } from './text-sends.ts';
import { makeUnsentCampaigns } from './unsent-campaigns.ts';

/** What the shop is before it writes to anybody. */
export type Shop = {
  products: readonly Product[];
  shelf: Shelf;
  customers: readonly Customer[];
  profiles: readonly ProfileRow[];
  orders: readonly Order[];
  sessions: readonly Session[];
  consents: readonly ConsentEvent[];
};

export type Marketing = {
  recipients: Recipient[];
  campaigns: Campaign[];
  entries: Entry[];
  /** The sends in order of time. */
  sends: Send[];
  popupEvents: PopupEvent[];
  memberships: Membership[];
  /** The sessions. Those that newsletters and SMS brought name the campaign now. */
  sessions: Session[];
  /** The shop's own and what campaigns added, in order of time. */
  consents: ConsentEvent[];
  /** The shop's own and those of leads. */
  profiles: ProfileRow[];
};

/**
 * Campaigns in the shop's history. Orders and visits stay as they are: who ordered or came by a newsletter is
 * given, and gets the message and the click that led there.
 */
export function makeMarketing(world: World, shop: Shop): Marketing {
  const { products, shelf, sessions, profiles } = shop;
  const orders = ordersByCustomer(shop.orders);
  const customers = makeRecipients(world, shop.customers, shop.consents);
  const popups = makePopups(world, sessions, customers);
  const recipients = [...customers, ...popups.leads];
  const topics = makeTopicMemberships(world, recipients);
  const birthdays = profiles.flatMap(({ profile_id, birthday }) =>
    birthday === null ? [] : [[profile_id, birthday] as const],
  );
  const known = {
    ...{ world, orders, birthdays: new Map(birthdays) },
    sessions: Map.groupBy(
      sessions.filter((session) => session.orders.length === 0 && session.events.length > 0),
      ({ customer }) => customer,
    ),
  };

  // Who leaves because of a newsletter is out of everything later.
  const emails = sendOneOffEmails(world, products, { recipients, memberships: topics, orders });
  const texts = sendOneOffTexts(world, recipients);
  const automations = runAutomations(known, products, recipients);
  const sent = [emails, texts, automations];
  const sends = sent.flatMap((sending) => sending.sends).sort((a, b) => a.at - b.at);
  for (const [index, send] of sends.entries()) send.send_id = `m${String(index + 1).padStart(8, '0')}`;

  endConsents(world, sends, emails.exits, recipients);
  const arrived = arrivedByRecipient(sends);
  const sources = new CampaignSources();
  const clicked = clickToSessions(world, sessions, recipients, sends, arrived, sources);
  const tagged = clickBeforeOrders(world, shop.orders, clicked, recipients, arrived, sources);
  react(world, sends);
  const clickVisits = visitClicks(world, sends, tagged, shelf, sources);

  return {
    recipients,
    campaigns: [
      ...sent.flatMap((sending) => sending.campaigns),
      ...popups.campaigns,
      ...makeUnsentCampaigns(),
    ],
    entries: sent.flatMap((sending) => sending.entries),
    sends,
    popupEvents: popups.events,
    memberships: [...makeNewsletterMemberships(recipients), ...topics].sort((a, b) => a.at - b.at),
    sessions: [...tagged, ...clickVisits].sort((a, b) => a.at - b.at),
    consents: recipients
      .flatMap(({ consents }) => [...consents.email, ...consents.sms])
      .sort((a, b) => a.at - b.at),
    profiles: [...profiles, ...makeLeadProfiles(popups.leads)],
  };
}

export function makeMarketingTables(marketing: Marketing): Record<string, Iterable<object>> {
  return {
    ...contentRows(marketing.campaigns),
    audience_members: makeAudienceRows(marketing.entries),
    sends: makeSendRows(marketing.sends),
    message_events: makeMessageEventRows(marketing.sends),
    interest_lists: makeInterestLists(),
    interest_list_events: makeInterestListEventRows(marketing.memberships),
    popup_events: makePopupEventRows(marketing.popupEvents),
    segments: makeSegments(),
    sending_domains: makeSendingDomains(),
  };
}
