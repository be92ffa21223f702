import { LINK_TYPES } from '../../model/marketing/link-types.ts';
import { SMS_PARTS } from '../../model/marketing/sms-parts.ts';
import { TRACKING_PARAMETERS } from '../../model/marketing/tracking.ts';

/**
 * Words of the marketing models that are macros: parts and encoding of an SMS, what a link is.
 *
 * GSM 03.38: a text of its basic alphabet and its extension is GSM-7, and an extension character counts twice. Any other
 * character makes it UCS-2, which counts UTF-16 units.
 */
const BASIC = "@£$¥èéùìòÇ\\nØø\\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&''()*+,\\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà";
const EXTENSION = '\\f\\^{}\\\\\\[~\\]|€';

export const marketingTexts = `
create temp macro sms_encoding(message) as
  case when regexp_full_match(coalesce(message, ''), '[${BASIC}${EXTENSION}]*') then 'gsm7' else 'ucs2' end;
create temp macro sms_units(message) as
  length(message) + case sms_encoding(message)
    when 'gsm7' then length(regexp_replace(message, '[^${EXTENSION}]', '', 'g'))
    else length(regexp_replace(message, '[^\\x{10000}-\\x{10FFFF}]', '', 'g'))
  end;
create temp macro sms_segments(message) as
  cast(case
    when sms_encoding(message) = 'gsm7' and sms_units(message) <= ${SMS_PARTS.gsm7.single} then 1
    when sms_encoding(message) = 'gsm7' then ceil(sms_units(message) / ${SMS_PARTS.gsm7.each})
    when sms_units(message) <= ${SMS_PARTS.ucs2.single} then 1
    else ceil(sms_units(message) / ${SMS_PARTS.ucs2.each})
  end as integer);

create temp macro url_domain(url) as
  nullif(regexp_replace(regexp_extract(lower(url), '^[a-z]+://(?:[^/?#@]*@)?([^/?#:]+)', 1), '^www[.]', ''), '');
create temp macro plain_url(url) as
  regexp_replace(regexp_replace(regexp_replace(
    url, '([?&])(?:(?:${TRACKING_PARAMETERS.join('|')})(?:=[^&#]*)?(?:&|(#|$)))+', '\\1\\2', 'gi'),
    '[?&](#|$)', '\\1', 'g'), '[?]&', '?');
create temp macro link_type_of(url) as
  case
    ${Object.entries(LINK_TYPES)
      .map(([type, pattern]) => `when regexp_matches(lower(url), '${pattern}') then '${type}'`)
      .join('\n    ')}
    else 'other'
  end;
`;
