/**
 * Why Klaviyo sends somebody nothing, and what that is to us; any other reason is that somebody of the shop
 * said so.
 */
const SUPPRESSED: Readonly<Record<string, string>> = {
  hard_bounce: 'bounced',
  invalid_email: 'bounced',
  spam_complaint: 'complained',
  unsubscribe: 'unsubscribed',
};

const at = (path: string) => `resource->>'$.attributes.subscriptions.${path}'`;

const marketing = (channel: string) => `
  select _row, id as profile_id, '${channel}' as channel,
    coalesce(${at(`${channel}.marketing.consent_timestamp`)}, ${at(`${channel}.marketing.last_updated`)}) as "at",
    lower(${at(`${channel}.marketing.consent`)}) as state
  from klaviyo_resources where type = 'profile'`;

/**
 * SQL: what profiles say of their consents, of which the last one of each channel is known, and of what
 * suppresses them.
 */
export const consentsOfProfiles = `
  select _row, profile_id, channel, "at", state from (
    ${marketing('email')}
    union all
    ${marketing('sms')}
    union all
    select _row, id, 'email', suppression->>'$.timestamp',
      case lower(suppression->>'$.reason') ${Object.entries(SUPPRESSED)
        .map(([theirs, ours]) => `when '${theirs}' then '${ours}'`)
        .join(' ')} else 'suppressed' end
    from (
      select _row, id, unnest(from_json(resource->'$.attributes.subscriptions.email.marketing.suppression', '["JSON"]')) as suppression
      from klaviyo_resources where type = 'profile'
    )
  )
  -- Who never consented has nothing to tell, and a state without a moment replaces nobody knows what.
  where "at" is not null and state in ('subscribed', 'unsubscribed', 'bounced', 'complained', 'suppressed')`;
