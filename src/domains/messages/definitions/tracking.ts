import { linkType, NO_CONTENT } from '../../../text/link-types.ts';
import { PLACEHOLDER } from '../../../text/placeholders.ts';

/**
 * Parameters of URLs that say where a click came from, or whose it is, as regular expressions of their whole
 * names.
 */
export const TRACKING_PARAMETERS: readonly string[] = [
  'utm_[^=&#]*',
  ...['gclid', 'gbraid', 'wbraid', 'dclid', 'fbclid', 'msclkid', 'ttclid', 'yclid', 'twclid', 'li_fat_id'],
  ...['mc_cid', 'mc_eid', '_kx', 'epik', 'igshid', '_hsenc', '_hsmi', 'mkt_tok', 'vero_id'],
  ...['oly_enc_id', 'oly_anon_id', 'ck_subscriber_id'],
];

const TRACKING = new RegExp(`^(?:${TRACKING_PARAMETERS.join('|')})(?:=|$)`, 'i');

const WORD = new RegExp(`(?:${PLACEHOLDER}|[^\\s"'<>])+`, 'g');

/** A text or HTML whose URLs are without tracking, see `withoutTracking`. */
export function withoutTrackingInside(text: string): string {
  return text.replace(WORD, (word) => {
    if (!word.includes('?')) return word;
    let end = word.length;
    // A bracket or full stop after a URL does not belong to it.
    while (end > 0 && ').,;:!]'.includes(word.charAt(end - 1))) end -= 1;
    return withoutTracking(word.slice(0, end)) + word.slice(end);
  });
}

/**
 * A URL without the parameters that track, and without those that hold an e-mail address. What lets its
 * bearer unsubscribe somebody, or read what somebody got, is without parameters.
 */
export function withoutTracking(url: string): string {
  const start = url.indexOf('?');
  if (start === -1) return url;
  if (/^https?:/i.test(url) && NO_CONTENT.includes(linkType(url))) {
    return url.slice(0, start);
  }
  const end = url.indexOf('#', start);
  const query = url.slice(start + 1, end === -1 ? undefined : end);
  const [separator = '&'] = /&(?:amp;|#38;)?/i.exec(query) ?? [];
  const parts = query.split(/&(?:amp;|#38;)?/i);
  const kept = parts.filter((part) => !TRACKING.test(part) && !/[^@=](?:@|%40)./i.test(part));
  if (kept.length === parts.length) return url;
  const shown = kept.length === 0 ? '' : `?${kept.join(separator)}`;
  return `${url.slice(0, start)}${shown}${end === -1 ? '' : url.slice(end)}`;
}
