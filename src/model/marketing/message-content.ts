import type { Row } from '../../sql/row.ts';
import { shortText, shortTextOrNull } from '../business-text.ts';
import { linkType } from './link-types.ts';
import { messageText } from './message-text.ts';
import { withoutAddresses } from './personal-values.ts';
import { placeholdersOf } from './placeholders.ts';
import { withoutTracking, withoutTrackingInside } from './tracking.ts';

/** Gmail shows the rest of a longer message on another page. */
const GMAIL_BYTES = 102 * 1024;
/** What is longer is no message, and takes seconds to read: the rest is left out. */
export const MOST_BODY_CHARACTERS = 2_000_000;
const LINKS = 300;
const PLACEHOLDERS = 100;

/** Which part of a body to show: characters are Unicode code points, so that no part ends within one. */
export interface BodyPart {
  readonly format: 'text' | 'html';
  readonly offset: number;
  readonly max_chars: number;
}

/**
 * A message as its recipients read it, before anything is filled in for one of them. What a source filled in already
 * (addresses, tracking) is taken out.
 *
 * @param row of `messages`
 * @param links rows of `links` of the message; where there are none, those of its HTML are given
 */
export function messageContent(row: Row, links: readonly Row[], senderName: string | null, part: BodyPart) {
  const html = textOrEmpty(row.html).slice(0, MOST_BODY_CHARACTERS);
  const read = messageText(html);
  const source = part.format === 'html' ? withoutTrackingInside(html) : read.text;
  const body = cutBody(
    withoutAddresses(html.trim() === '' ? withoutTrackingInside(textOrEmpty(row.text)) : source),
    part,
  );
  const placeholders = placeholdersOf(
    [row.subject, row.preheader, html, row.text].map(textOrEmpty).join('\n'),
  );
  const messageLinks = links.length > 0 ? loadedLinks(links) : linksOf(read.links);
  return {
    content: {
      message_id: row.message_id,
      channel: row.channel,
      variant: shortTextOrNull(row.variant, 100),
      subject: shownLine(row.subject),
      preheader: shownLine(row.preheader),
      sender_name: shortTextOrNull(senderName, 200),
      ...body,
      links: messageLinks.slice(0, LINKS),
      images_count: read.images,
      images_without_alt_count: read.imagesWithoutAlt,
      placeholders: placeholders.slice(0, PLACEHOLDERS).map((placeholder) => shortText(placeholder, 200)),
      product_ids: row.product_ids,
      has_recommendations: row.has_recommendations,
      size_bytes: row.size_bytes,
      is_clipped_in_gmail:
        row.channel === 'email' && row.size_bytes !== null ? Number(row.size_bytes) > GMAIL_BYTES : null,
      sms_encoding: row.sms_encoding,
      sms_segments: row.sms_segments,
      popup_fields: row.channel === 'popup' ? row.popup_fields : null,
    },
    notes: [
      ...tooManyNotes('characters', textOrEmpty(row.html).length, MOST_BODY_CHARACTERS),
      ...tooManyNotes('links', messageLinks.length, LINKS),
      ...tooManyNotes('placeholders', placeholders.length, PLACEHOLDERS),
    ],
  };
}

function textOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function shownLine(text: unknown): string | null {
  return typeof text === 'string' ? shortText(withoutAddresses(text), 1000) : null;
}

function cutBody(text: string, { offset, max_chars }: BodyPart) {
  const body = text.toWellFormed().replace(/(?![\t\n\r])\p{Cc}/gu, ' ');
  let characters = 0;
  let start = body.length;
  let end = body.length;
  for (let index = 0; index < body.length; characters += 1) {
    if (characters === offset) start = index;
    if (characters === offset + max_chars) end = index;
    index += (body.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  }
  return {
    body: body.slice(start, end),
    body_chars: characters,
    body_truncated: offset > 0 || offset + max_chars < characters,
  };
}

interface Link {
  readonly url: string;
  readonly label: string | null;
  readonly link_type: string;
  readonly position: number | null;
}

function loadedLinks(links: readonly Row[]): Link[] {
  return distinctLinks(
    links.map(({ url, label, link_type, position }) => ({
      url: shortText(withoutAddresses(withoutTracking(String(url))), 2000),
      label: typeof label === 'string' ? shortText(withoutAddresses(label), 300) : null,
      link_type: String(link_type),
      position: position as number | null,
    })),
  );
}

function linksOf(links: readonly { url: string; label: string }[]): Link[] {
  return links.map(({ url, label }, index) => ({
    url: withoutAddresses(url),
    label: label === '' ? null : withoutAddresses(label),
    link_type: linkType(url),
    position: index + 1,
  }));
}

/** Those that were different for each recipient are one without what told them apart. */
function distinctLinks(links: readonly Link[]): Link[] {
  return [...new Map(links.map((link) => [JSON.stringify(link), link])).values()];
}

function tooManyNotes(what: string, count: number, most: number): string[] {
  return count > most ? [`A message has ${count} ${what}, of which the first ${most} are here.`] : [];
}
