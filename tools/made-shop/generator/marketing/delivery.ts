import { dayOf, momentOf } from '../calendar.ts';
import type { RandomStream } from '../random-stream.ts';
import type { Recipient } from './recipients.ts';
import type { SendingDomainRow } from './rows.ts';
import type { Fate } from './send.ts';

/**
 * The domain from which campaigns are sent, and from September 2026 on those to many: nobody signed its mail
 * correctly.
 */
export const sendingDomain = 'mail.kamenice-outdoor.example.com';
export const newSendingDomain = 'novinky.kamenice-outdoor.example.com';
const moved_at = momentOf(dayOf('2026-09-01'), 0);

/**
 * The provider that mistrusts the new domain: it blocks some messages, and puts others where nobody looks.
 */
export const mistrustingProvider = 'seznam';

export function makeSendingDomains(): SendingDomainRow[] {
  return [
    {
      ...{ domain: sendingDomain, spf: 'pass', dkim: 'pass', dmarc: 'quarantine' },
      ...{ one_click_unsubscribe: true, external_spam_rate: 0.06 },
    },
    {
      ...{ domain: newSendingDomain, spf: 'pass', dkim: 'fail', dmarc: 'none' },
      ...{ one_click_unsubscribe: false, external_spam_rate: 0.21 },
    },
  ];
}

export function domainOfNewsletters(at: number): string {
  return at < moved_at ? sendingDomain : newSendingDomain;
}

/** What becomes of an e-mail. */
export function drawFate(stream: RandomStream, { mailbox }: Recipient, sending_domain: string): Fate {
  const details = { recipient_domain: mailbox.domain, sending_domain };
  const chance = stream.next();
  if (isMistrusted(mailbox.provider, sending_domain) && chance < 0.16) {
    return { outcome: 'block', details: { ...details, ...blocked } };
  }
  if (chance > 0.9985) return { outcome: 'soft', details: { ...details, ...timedOut } };
  if (chance > 0.997) return { outcome: 'soft', details: { ...details, ...mailboxFull } };
  return { outcome: 'delivered', details };
}

export function isMistrusted(provider: string, sending_domain: string | undefined): boolean {
  return provider === mistrustingProvider && sending_domain === newSendingDomain;
}

const blocked = {
  bounce_class: 'policy_block',
  smtp_code: '5.7.1',
  reason_text: '550 5.7.1 Message rejected: DKIM signature did not verify, sender reputation is low',
};
const timedOut = {
  bounce_class: 'timeout',
  smtp_code: '4.4.1',
  reason_text: '421 4.4.1 Connection timed out',
};
const mailboxFull = {
  bounce_class: 'mailbox_full',
  smtp_code: '4.2.2',
  reason_text: '452 4.2.2 The mailbox of the recipient is full',
};
export const unknownUser = {
  bounce_class: 'unknown_user',
  smtp_code: '5.1.1',
  reason_text: '550 5.1.1 No such user here',
};
