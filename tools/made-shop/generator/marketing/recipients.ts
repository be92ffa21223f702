import type { ConsentEvent } from '../consents.ts';
import type { Customer } from '../customers.ts';
import { cumulative, type RandomStream } from '../random-stream.ts';
import type { ConsentChannel, ConsentState } from '../tables.ts';
import type { World } from '../world.ts';
import { drawMailbox, type Mailbox, seznam } from './mailboxes.ts';

/** Somebody who can be written to: a customer with a profile, or a lead that a popup brought. */
export type Recipient = {
  profile_id: string;
  customer: Customer | null;
  country: Customer['country'];
  mailbox: Mailbox;
  /** How likely a message is opened, before anything else counts. */
  openness: number;
  /** Changes of consent in order of time. */
  consents: Record<ConsentChannel, ConsentEvent[]>;
};

export function makeRecipients(
  world: World,
  customers: readonly Customer[],
  consents: readonly ConsentEvent[],
): Recipient[] {
  const stream = world.stream('recipients');
  const histories = Map.groupBy(consents, ({ profile_id, channel }) => `${channel} ${profile_id}`);
  return customers.flatMap((customer) => {
    const { profile_id, country } = customer;
    if (profile_id === null) return [];
    const email = histories.get(`email ${profile_id}`) ?? [];
    const recipient = makeRecipient(stream, profile_id, customer, country);
    // Gmail and Apple report no complaints.
    const complains = email.some(({ state }) => state === 'complained');
    const consents = { email: [...email], sms: [...(histories.get(`sms ${profile_id}`) ?? [])] };
    return [{ ...recipient, mailbox: complains ? seznam : recipient.mailbox, consents }];
  });
}

export function makeRecipient(
  stream: RandomStream,
  profile_id: string,
  customer: Customer | null,
  country: Customer['country'],
): Recipient {
  return {
    profile_id,
    customer,
    country,
    mailbox: drawMailbox(stream, country),
    openness: openness[stream.index(opennessWeights)] ?? 0,
    consents: { email: [], sms: [] },
  };
}
/** Some read all, most some, and a fifth never any. */
const openness = [0.75, 0.4, 0.14, 0] as const;
const opennessWeights = cumulative([18, 40, 24, 18]);

/**
 * The state at a moment; null: never asked. Nothing in a history follows a suppression, so the latest change
 * decides.
 */
export function consentAt({ consents }: Recipient, channel: ConsentChannel, at: number): ConsentState | null {
  return consents[channel].findLast((change) => change.at <= at)?.state ?? null;
}

export function isSubscribed(recipient: Recipient, channel: ConsentChannel, at: number): boolean {
  return consentAt(recipient, channel, at) === 'subscribed';
}

/** Whether the recipient may leave at a moment: subscribed, and nothing that is to come says otherwise. */
export function canLeave(recipient: Recipient, channel: ConsentChannel, at: number): boolean {
  const last = recipient.consents[channel].at(-1);
  return last !== undefined && last.state === 'subscribed' && last.at <= at;
}

export function byCustomer(recipients: readonly Recipient[]): Map<Customer, Recipient> {
  return new Map(
    recipients.flatMap((recipient) =>
      recipient.customer === null ? [] : [[recipient.customer, recipient] as const],
    ),
  );
}
