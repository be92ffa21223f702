import { firstAt, textAt } from '../json-resources.ts';
import { areMissing } from '../missing-values.ts';
import { listCell } from '../source-cells.ts';

/** The last one of an id counts; of each other, `newer` says how many came after it. */
export function customersOf(resources: string): string {
  return `create or replace temp table shopify_json_customers as
    select _row, row_number() over (partition by id order by place desc) - 1 as newer, id, json_keys(resource) as keys, ${firstAt('resource', 'email', 'defaultEmailAddress.emailAddress')} as email,
      ${firstAt('resource', 'phone', 'defaultPhoneNumber.phoneNumber', 'default_address.phone')} as phone,
      ${firstAt('resource', 'default_address.country_code', 'defaultAddress.countryCodeV2')} as country,
      ${firstAt('resource', 'created_at', 'createdAt')} as created_at,
      nullif(case when json_type(resource, '$.tags') = 'ARRAY' then cast(resource->'$.tags' as varchar)
        else ${listCell(textAt('resource', 'tags'))} end, '[]') as tags,
      lower(${firstAt('resource', 'email_marketing_consent.state', 'emailMarketingConsent.marketingState', 'defaultEmailAddress.marketingState')}) as email_state,
      ${firstAt('resource', 'email_marketing_consent.consent_updated_at', 'emailMarketingConsent.consentUpdatedAt', 'defaultEmailAddress.marketingUpdatedAt')} as email_at,
      lower(${firstAt('resource', 'sms_marketing_consent.state', 'smsMarketingConsent.marketingState', 'defaultPhoneNumber.marketingState')}) as sms_state,
      ${firstAt('resource', 'sms_marketing_consent.consent_updated_at', 'smsMarketingConsent.consentUpdatedAt', 'defaultPhoneNumber.marketingUpdatedAt')} as sms_at
    from ${resources} where kind = 'Customer'`;
}

export const CUSTOMERS = {
  profiles: `
    select _row, newer as _newer, id as profile_id, email, phone, id as external_customer_id, country, tags, created_at, keys
    from shopify_json_customers order by _row`,
  consents: `
    select _row, id as profile_id, email, phone, channel, "at", state, 'import' as source
    from (
      select *, 'email' as channel, email_state as state, email_at as "at" from shopify_json_customers
      union all
      select *, 'sms', sms_state, sms_at from shopify_json_customers
    )
    -- Who never consented has nothing to tell.
    where "at" is not null and state in ('subscribed', 'unsubscribed', 'pending')
    qualify row_number() over (partition by id, channel, "at" order by newer) = 1 order by _row, channel`,
};

export const MISSING_OF_CUSTOMERS = areMissing('keys', {
  email: ['email', 'defaultEmailAddress'],
  phone: ['phone', 'defaultPhoneNumber'],
  country: ['default_address', 'defaultAddress'],
  tags: ['tags'],
  created_at: ['created_at', 'createdAt'],
});
