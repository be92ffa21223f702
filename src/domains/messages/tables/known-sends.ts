import { localDate } from '../../../model-table/business-values.ts';
import { keyTable, relation, workTable } from '../../../model-table/model-table.ts';
import { stored } from '../../../model-table/stored-tables.ts';
import { personOf, persons } from '../../identity/tables/identity.ts';
import { withRates } from '../../orders/tables/daily-rates.ts';
import { inBusinessCurrency } from '../../orders/tables/money.ts';
import { messages } from './campaign-contents.ts';

/** What sources call a bounce by policy or reputation. */
const BLOCKED = 'block|policy|reputation|spam|blacklist|denylist';

/** What gateways call the ways in which an SMS fails; the first that fits. */
const FAILURES: Readonly<Record<string, string>> = {
  no_credit: 'credit|balance|funds',
  invalid_number: 'invalid|unknown_(subscriber|number)|not_exist|wrong_number|unallocated',
  blocked: 'block|barred|blacklist|denylist|spam|filter|opted_out|opt_out',
  expired: 'expired|timeout|timed_out',
  // The gateway or a network is the reason of these, and no phone.
  rejected: 'reject|refused|no_route|network|operator|not_supported',
  unreachable: 'unreachable|absent|switched_off|roaming|undeliver|unavailable',
};

const snakeCase = (value: string) =>
  `nullif(trim(regexp_replace(lower(${value}), '[^a-z0-9]+', '_', 'g'), '_'), '')`;

const emailOutcome = (outcome: string, bounceClass: string) => `case
    when ${outcome} = 'soft' and regexp_matches(${bounceClass}, '${BLOCKED}') then 'block'
    when ${outcome} in ('hard', 'soft', 'block') then ${outcome}
    when ${outcome} = 'failed' then 'soft'
    else 'delivered'
  end`;

const smsOutcome = (outcome: string) =>
  `case coalesce(${outcome}, 'pending') when 'delivered' then 'delivered' when 'pending' then 'pending' else 'failed' end`;

const failureOf = (reason: string) => `case
    ${Object.entries(FAILURES)
      .map(([failure, words]) => `when regexp_matches(${reason}, '${words}') then '${failure}'`)
      .join('\n    ')}
    else 'unknown'
  end`;

const sendKeys = keyTable({
  name: 'send_keys',
  identity: { send_id: 'varchar' },
  key: 'send_key',
  order: 'sent_at, send_id',
  rows: relation`select send_id, sent_at from ${stored.sends}`,
});

/**
 * Every send of a known message, before what happened to it.
 *
 * `outcome` is the final one as the source tells it. E-mail: `hard`, `soft`, `block` (also a soft bounce),
 * else `delivered`: a send without a bounce counts as delivered, one that only says `failed` as `soft`. SMS:
 * `delivered`, `pending` where no final report came, else `failed`.
 */
export const knownSends = workTable({
  name: 'known_sends',
  types: {
    send_key: 'integer',
    send_id: 'varchar',
    message_key: 'integer',
    campaign_key: 'integer',
    channel: 'varchar',
    customer_key: 'integer',
    sent_at: 'timestamp',
    delivered_at: 'timestamp',
    outcome: 'varchar',
    recipient_domain: 'varchar',
    sending_domain: 'varchar',
    bounce_class: 'varchar',
    smtp_code: 'varchar',
    reason_text: 'varchar',
    failure_reason: 'varchar',
    sms_segments: 'integer',
    is_unicode: 'boolean',
    country: 'varchar',
    cost: 'decimal(18,4)',
  },
  needs: [stored.sends, messages],
  rows: relation`
with described as (
  select send_key, s.send_id, message_key, campaign_key, m.channel, customer_key, s.sent_at, s.delivered_at,
    case when m.channel = 'email' then ${emailOutcome('outcome', snakeCase('bounce_class'))} else ${smsOutcome('outcome')} end
      as outcome,
    lower(coalesce(recipient_domain, s.email_domain, p.email_domain)) as recipient_domain,
    lower(sending_domain) as sending_domain, ${snakeCase('bounce_class')} as bounce_class, smtp_code,
    left(reason_text, 200) as reason_text, ${snakeCase('failure_reason')} as failure_reason,
    coalesce(s.sms_segments, m.sms_segments, 1) as sms_segments,
    coalesce(s.sms_encoding, m.sms_encoding) = 'ucs2' as is_unicode,
    upper(coalesce(sms_country, s.phone_country, p.phone_country)) as country,
    cast(${inBusinessCurrency('cost', 'rate')} as decimal(18,4)) as cost
  from (${withRates(relation`select *, ${localDate('sent_at')} as sent_day from ${stored.sends}`, 'sent_day')}) as s
  join ${sendKeys} using (send_id)
  join ${messages} as m using (message_id)
  join ${persons} on person = ${personOf('s.profile_id', 's.email_hash', 's.phone_hash')}
  left join ${stored.profiles} as p on p.profile_id = s.profile_id
  where m.channel in ('email', 'sms')
)
select send_key, send_id, message_key, campaign_key, channel, customer_key, sent_at, delivered_at, outcome,
  case when channel = 'email' then recipient_domain end as recipient_domain,
  case when channel = 'email' then sending_domain end as sending_domain,
  case when channel = 'email' and outcome <> 'delivered' then coalesce(bounce_class, outcome) end as bounce_class,
  case when channel = 'email' then smtp_code end as smtp_code,
  case when channel = 'email' then reason_text when outcome = 'failed' then left(failure_reason, 200) end as reason_text,
  case when channel = 'sms' and outcome = 'failed' then ${failureOf('failure_reason')} end as failure_reason,
  case when channel = 'sms' then cast(sms_segments as integer) end as sms_segments,
  case when channel = 'sms' then is_unicode end as is_unicode,
  case when channel = 'sms' then country end as country,
  case when channel = 'sms' then cost end as cost
from described`,
});
