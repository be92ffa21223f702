import { LINK_TYPES } from '../../../text/link-types.ts';
import { SMS_PARTS } from '../definitions/sms-parts.ts';
import { TRACKING_PARAMETERS } from '../definitions/tracking.ts';

/**
 * Parts and encoding of an SMS, what a link is.
 *
 * GSM 03.38: a text of its basic alphabet and its extension is GSM-7, and an extension character counts
 * twice. Any other character makes it UCS-2, which counts UTF-16 units.
 */
const BASIC = "@£$¥èéùìòÇ\\nØø\\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&''()*+,\\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà";
const EXTENSION = '\\f\\^{}\\\\\\[~\\]|€';

export const smsEncoding = (message: string) =>
  `case when regexp_full_match(coalesce(${message}, ''), '[${BASIC}${EXTENSION}]*') then 'gsm7' else 'ucs2' end`;

const smsUnits = (message: string) => `(length(${message}) + case ${smsEncoding(message)}
    when 'gsm7' then length(regexp_replace(${message}, '[^${EXTENSION}]', '', 'g'))
    else length(regexp_replace(${message}, '[^\\x{10000}-\\x{10FFFF}]', '', 'g'))
  end)`;

/** The characters of a text, each once, that make an SMS UCS-2. */
export function charactersBeyondGsm(text: string): readonly string[] {
  return [...new Set(text.match(BEYOND_GSM))];
}

const BEYOND_GSM = new RegExp(`[^${BASIC}${EXTENSION}]`, 'gu');

export const smsSegments = (message: string) => `cast(case
    when ${smsEncoding(message)} = 'gsm7' and ${smsUnits(message)} <= ${SMS_PARTS.gsm7.single} then 1
    when ${smsEncoding(message)} = 'gsm7' then ceil(${smsUnits(message)} / ${SMS_PARTS.gsm7.each})
    when ${smsUnits(message)} <= ${SMS_PARTS.ucs2.single} then 1
    else ceil(${smsUnits(message)} / ${SMS_PARTS.ucs2.each})
  end as integer)`;

export const urlDomain = (url: string) =>
  `nullif(regexp_replace(regexp_extract(lower(${url}), '^[a-z]+://(?:[^/?#@]*@)?([^/?#:]+)', 1), '^www[.]', ''), '')`;

export const plainUrl = (url: string) => `regexp_replace(regexp_replace(regexp_replace(
    ${url}, '([?&])(?:(?:${TRACKING_PARAMETERS.join('|')})(?:=[^&#]*)?(?:&|(#|$)))+', '\\1\\2', 'gi'),
    '[?&](#|$)', '\\1', 'g'), '[?]&', '?')`;

export const linkTypeOf = (url: string) => `case
    ${Object.entries(LINK_TYPES)
      .map(([type, pattern]) => `when regexp_matches(lower(${url}), '${pattern}') then '${type}'`)
      .join('\n    ')}
    else 'other'
  end`;
