import { dayOf, localDay, momentOf, momentText } from '../calendar.ts';
import type { Customer } from '../customers.ts';
import { languages } from '../profiles.ts';
import type { RandomStream } from '../random-stream.ts';
import type { Session } from '../sessions.ts';
import type { ProfileRow } from '../tables.ts';
import type { World } from '../world.ts';
import { addMessage, type Campaign, makeCampaign } from './campaign.ts';
import { type PopupPlan, popupPlans } from './popup-plans.ts';
import { byCustomer, makeRecipient, type Recipient } from './recipients.ts';
import type { PopupEventRow } from './rows.ts';

export type PopupEvent = {
  campaign: Campaign;
  visitor_id: string;
  /** Who it really is. */
  customer: Customer | null;
  session_id: string;
  at: number;
  kind: PopupEventRow['kind'];
  device: string;
  recipient: Recipient | null;
};

export type Popups = {
  campaigns: Campaign[];
  /** The events in order of time. */
  events: PopupEvent[];
  leads: Recipient[];
};

/**
 * Popups in the sessions of people: shown once to a visitor, then closed or filled in. Who fills one in
 * subscribes: a stranger becomes a lead, a customer must not have been asked before. Their consents are added
 * to their histories.
 */
export function makePopups(
  world: World,
  sessions: readonly Session[],
  recipients: readonly Recipient[],
): Popups {
  const stream = world.stream('popups');
  const popups = popupPlans.map((plan) => ({ plan, campaign: makePopupCampaign(plan), couldSubmit: 0 }));
  const customers = byCustomer(recipients);
  const leads = new Map<string, Recipient>();
  const events: PopupEvent[] = [];
  const seen = new Set<string>();

  for (const session of sessions) {
    const { visitor_id, session_id, customer, device } = session;
    for (const popup of popups) {
      const { plan, campaign } = popup;
      const key = `${plan.campaign_id} ${visitor_id}`;
      if (!appearsIn(plan, session) || !stream.chance(plan.shown) || seen.has(key)) continue;
      seen.add(key);
      const event = { campaign, visitor_id, session_id, customer, device, recipient: null };
      const shown_at = Math.min(session.at + stream.int(2, 12), session.end);
      const answered_at = Math.min(shown_at + stream.int(4, 40), world.end);
      events.push({ ...event, at: shown_at, kind: 'display' });

      const known = customer === null ? (leads.get(visitor_id) ?? null) : (customers.get(customer) ?? null);
      const isAsked = plan.channel !== null && (known?.consents[plan.channel].length ?? 0) === 0;
      if (isAsked) popup.couldSubmit++;
      if (isAsked && popup.couldSubmit % plan.submitsEvery === 0) {
        const recipient = known ?? makeLead(stream, leads.size + 1, session.country);
        if (known === null) leads.set(visitor_id, recipient);
        subscribe(world, stream, recipient, plan, answered_at);
        events.push({ ...event, at: answered_at, kind: 'submit', recipient });
      } else if (stream.chance(0.4)) {
        events.push({ ...event, at: answered_at, kind: 'close' });
      }
    }
  }
  const campaigns = popups.map(({ campaign }) => campaign);
  const registrations = registrationsByPopup(world, sessions, recipients, campaigns);
  const inOrder = [...events, ...registrations].sort((a, b) => a.at - b.at);
  return { campaigns, events: inOrder, leads: [...leads.values()] };
}

/** Whether a popup appears. Where somebody registers through a popup, no other one shows. */
function appearsIn(
  { from, to, audience }: PopupPlan,
  { at, isBot, isRegistration, customer }: Session,
): boolean {
  const day = localDay(at);
  if (isBot || isRegistration || day < dayOf(from) || (to !== null && day > dayOf(to))) return false;
  return audience === 'everybody' || (customer === null) === (audience === 'strangers');
}

function makeLead(stream: RandomStream, number: number, country: string | null): Recipient {
  const known = (['CZ', 'SK', 'DE', 'AT', 'PL'] as const).find((candidate) => candidate === country);
  return makeRecipient(stream, `L${String(number).padStart(7, '0')}`, null, known ?? 'CZ');
}

/** Subscribes somebody. The subscription must be confirmed, which one in five e-mail addresses never is. */
function subscribe(
  world: World,
  stream: RandomStream,
  { profile_id, consents }: Recipient,
  { name, channel }: PopupPlan,
  at: number,
): void {
  if (channel === null) return;
  const why = { profile_id, channel, source: 'popup', source_detail: name, reason: null } as const;
  consents[channel].push({ ...why, state: 'pending', at });
  const confirmed_at = at + stream.int(40, 20 * 3_600);
  const confirms = stream.chance(channel === 'email' ? 0.8 : 1) && confirmed_at <= world.end;
  if (confirms) consents[channel].push({ ...why, state: 'subscribed', at: confirmed_at });
}

/** The people who registered through a popup by the shop's own account, in the visit in which they did. */
function registrationsByPopup(
  world: World,
  sessions: readonly Session[],
  recipients: readonly Recipient[],
  campaigns: readonly Campaign[],
): PopupEvent[] {
  const visits = Map.groupBy(sessions, ({ customer }) => customer);
  return recipients.flatMap((recipient) => {
    const asked = recipient.consents.email.find(({ state }) => state === 'pending');
    const campaign = campaigns.find(({ row }) => row.name === asked?.source_detail);
    if (recipient.customer === null || asked === undefined || campaign === undefined) return [];
    if (asked.at - 30 < momentOf(world.firstDay, 0)) return [];
    const visit = visits
      .get(recipient.customer)
      ?.find(({ at, end }) => at <= asked.at - 20 && end >= asked.at);
    if (visit === undefined) throw new Error(`${recipient.profile_id} registered without a visit`);
    const { visitor_id, session_id, device } = visit;
    const event = { campaign, visitor_id, session_id, customer: recipient.customer, device };
    return [
      { ...event, at: asked.at - 20, kind: 'display' as const, recipient: null },
      { ...event, at: asked.at, kind: 'submit' as const, recipient },
    ];
  });
}

function makePopupCampaign(plan: PopupPlan): Campaign {
  const { campaign_id, name, category, state, from, to, headline, text, fields } = plan;
  const started_at = momentOf(dayOf(from), 8 * 3_600);
  const campaign = makeCampaign({ campaign_id, name, campaign_type: 'popup', category, state }, [
    [started_at - 5 * 86_400, 'created as draft'],
    [started_at - 3_600, 'draft → active'],
    ...(to === null ? [] : [[momentOf(dayOf(to), 22 * 3_600), `active → ${state}`] as const]),
  ]);
  addMessage(campaign, null, {
    channel: 'popup',
    position: 1,
    subject: headline,
    html: `<div class="popup"><h2>${headline}</h2><p>${text}</p>${fields.map((field) => `<input name="${field}">`).join('')}</div>`,
    text: `${headline}\n${text}`,
    popup_fields: fields,
  });
  return campaign;
}

/** Profiles of the leads: all that is known of them is where they are. */
export function makeLeadProfiles(leads: readonly Recipient[]): ProfileRow[] {
  return leads.map(({ profile_id, country, consents }, index) => ({
    profile_id,
    email: `odberatel.${index + 1}@example.org`,
    external_customer_id: null,
    country,
    language: languages[country],
    gender: null,
    birthday: null,
    attributes: {},
    tags: ['lead'],
    created_at: momentText(consents.email[0]?.at ?? 0),
  }));
}

/** Rows in order of time. Their ids rise with it. */
export function* makePopupEventRows(events: readonly PopupEvent[]): Generator<PopupEventRow> {
  for (const [index, { campaign, visitor_id, session_id, at, kind, device, recipient }] of events.entries()) {
    yield {
      event_id: `popup-${index + 1}`,
      campaign_id: campaign.row.campaign_id,
      visitor_id,
      session_id,
      at: momentText(at),
      kind,
      device,
      profile_id: recipient?.profile_id,
    };
  }
}
