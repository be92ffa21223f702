import { anyOf, between, oneOf, type Random } from '../random.ts';
import type { VendorClock } from '../stub-access.ts';

export interface MadeEvent {
  readonly id: string;
  readonly metric: string;
  readonly profile: string;
  readonly at: number;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface MadeProfile {
  readonly id: string;
  readonly email: string;
  readonly createdAt: number;
  updatedAt: number;
  consent: 'SUBSCRIBED' | 'UNSUBSCRIBED' | 'NEVER_SUBSCRIBED';
  consentAt: number | null;
  readonly suppressions: { readonly reason: string; readonly at: number }[];
}

export interface MadeCampaign {
  readonly id: string;
  readonly message: string;
  readonly channel: 'email' | 'sms';
  readonly name: string;
  status: string;
  readonly createdAt: number;
  updatedAt: number;
  sentAt: number | null;
}

export interface MadeFlow {
  readonly id: string;
  readonly message: string;
  name: string;
  readonly createdAt: number;
  updatedAt: number;
}

/** Each id has the name of a metric, and whose it is. Names repeat. */
export const METRICS: Readonly<Record<string, readonly [name: string, integration: string]>> = {
  Received: ['Received Email', 'Klaviyo'],
  Opened: ['Opened Email', 'Klaviyo'],
  Clicked: ['Clicked Email', 'Klaviyo'],
  Bounced: ['Bounced Email', 'Klaviyo'],
  Spam: ['Marked Email as Spam', 'Klaviyo'],
  Unsubs: ['Unsubscribed from Email Marketing', 'Klaviyo'],
  RecSms: ['Received SMS', 'Klaviyo'],
  Active: ['Active on Site', 'API'],
  Placed: ['Placed Order', 'Shopify'],
  Other1: ['Opened Email', 'Another sender'],
};

const DAY = 24 * 3600_000;

/** A made-up account of ours, which random changes happen to. */
export class MadeAccount {
  readonly events = new Map<string, MadeEvent>();
  readonly profiles = new Map<string, MadeProfile>();
  readonly campaigns = new Map<string, MadeCampaign>();
  readonly flows = new Map<string, MadeFlow>();
  readonly #random: Random;
  readonly #clock: VendorClock;
  #ids = 0;

  constructor(random: Random, clock: VendorClock) {
    this.#random = random;
    this.#clock = clock;
  }

  fill({ profiles, campaigns }: { profiles: number; campaigns: number }): void {
    const before = () => this.#now() - Math.floor(this.#random() * 100 * DAY);
    for (let count = 0; count < profiles; count += 1) this.addProfile(before());
    for (let count = 0; count < 3; count += 1) this.addFlow(before());
    for (let count = 0; count < campaigns; count += 1) this.addCampaign(before());
  }

  /** Anything that merchants and their subscribers do. */
  change(): void {
    const kind = between(this.#random, 0, 9);
    const profile = anyOf(this.#random, this.profiles);
    const event = anyOf(this.#random, this.events);
    if (kind === 0) this.addProfile();
    else if (kind === 1) this.addCampaign();
    else if (kind === 2) this.rename();
    else if (profile === undefined || event === undefined) this.addProfile();
    else if (kind === 3) this.setConsent(profile);
    else if (kind === 4) this.#event('Active', profile.id, this.#now(), { page: 'https://shop.example/' });
    else if (kind === 5) this.#event('Placed', profile.id, this.#now(), { $value: 100 });
    else if (kind === 6) this.#sendOfFlow(profile);
    else if (kind === 7) this.#event('Other1', profile.id, this.#now(), event.properties);
    else this.#reaction(event, this.#now());
  }

  addProfile(at = this.#now()): MadeProfile {
    const id = this.#id('P');
    const isSubscribed = this.#random() < 0.6;
    const profile: MadeProfile = {
      ...{ id, email: `${id.toLowerCase()}@shop.example`, createdAt: at, updatedAt: at },
      consent: isSubscribed ? 'SUBSCRIBED' : 'NEVER_SUBSCRIBED',
      consentAt: isSubscribed ? at : null,
      suppressions: [],
    };
    this.profiles.set(id, profile);
    return profile;
  }

  setConsent(profile: MadeProfile): void {
    profile.consent = profile.consent === 'SUBSCRIBED' ? 'UNSUBSCRIBED' : 'SUBSCRIBED';
    profile.updatedAt = this.#now();
    profile.consentAt = this.#now();
    if (this.#random() < 0.2) profile.suppressions.push({ reason: 'HARD_BOUNCE', at: this.#now() });
  }

  addFlow(at = this.#now()): MadeFlow {
    const id = this.#id('F');
    const flow = { id, message: this.#id('M'), name: `Flow ${id}`, createdAt: at, updatedAt: at };
    this.flows.set(id, flow);
    return flow;
  }

  rename(): void {
    const flow = anyOf(this.#random, this.flows);
    if (flow === undefined) return;
    flow.name = `${flow.name}, renamed`;
    flow.updatedAt = this.#now();
  }

  /** One that goes out at once to some of the people, of whom some react, and all within minutes. */
  addCampaign(at = this.#now()): MadeCampaign {
    const id = this.#id('C');
    const channel = oneOf(this.#random, ['email', 'email', 'sms'] as const);
    const campaign: MadeCampaign = {
      ...{ id, message: this.#id('M'), channel, name: `Campaign ${id}`, status: 'Sent' },
      ...{ createdAt: at - 3600_000, updatedAt: at, sentAt: at },
    };
    this.campaigns.set(id, campaign);
    const properties = {
      $message: campaign.message,
      $_cohort$message_send_cohort: `${at}:${campaign.message}`,
      'Campaign Name': campaign.name,
      Subject: `Subject of ${campaign.name}`,
    };
    for (const profile of this.profiles.values()) {
      if (this.#random() < 0.5) continue;
      const kind = channel === 'sms' ? 'RecSms' : this.#random() < 0.05 ? 'Bounced' : 'Received';
      // Whole campaigns have one second.
      const received = this.#event(kind, profile.id, Math.floor(at / 1000) * 1000, properties);
      if (channel === 'email' && this.#random() < 0.4)
        this.#reaction(received, at + between(this.#random, 1, 60_000));
    }
    return campaign;
  }

  #sendOfFlow(profile: MadeProfile): void {
    const flow = anyOf(this.#random, this.flows);
    if (flow === undefined) return;
    const at = this.#now();
    this.#event('Received', profile.id, at, {
      $message: flow.message,
      $flow: flow.id,
      $_cohort$message_send_cohort: `${at}:${flow.message}`,
      'Campaign Name': 'First message',
    });
  }

  /** Adds a reaction to an e-mail that arrived. */
  #reaction({ metric, profile, properties }: MadeEvent, at: number): void {
    if (metric !== 'Received') return;
    const kind = oneOf(this.#random, ['Opened', 'Opened', 'Clicked', 'Spam', 'Unsubs']);
    // Told late, by up to most of an hour.
    const late = this.#random() < 0.2 ? between(this.#random, 0, 2_500_000) : 0;
    this.#event(kind, profile, at - late, { ...properties, machine_open: this.#random() < 0.2 });
  }

  #event(metric: string, profile: string, at: number, properties: MadeEvent['properties']): MadeEvent {
    const event = { id: this.#id('E'), metric, profile, at, properties };
    this.events.set(event.id, event);
    return event;
  }

  #id(prefix: string): string {
    this.#ids += 1;
    return `${prefix}${this.#ids.toString(36).toUpperCase().padStart(5, '0')}`;
  }

  #now(): number {
    return this.#clock.now().getTime();
  }
}
