import { column, field, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { count, flag, list, text } from '../../../answers/fields/kinds-of-fields.ts';
import { shortText, shortTextOrNull } from '../../../text/business-text.ts';
import { linkType } from '../../../text/link-types.ts';
import { withoutAddresses } from '../../../text/personal-values.ts';
import { placeholdersOf } from '../../../text/placeholders.ts';
import { withoutTracking, withoutTrackingInside } from '../definitions/tracking.ts';
import { messageText } from './message-text.ts';

/** Gmail shows the rest of a longer message on another page. */
const GMAIL_BYTES = 102 * 1024;
/** What is longer is no message, and takes seconds to read: the rest is left out. */
export const MOST_BODY_CHARACTERS = 2_000_000;
const LINKS = 300;
const PLACEHOLDERS = 100;

/** The part of a body to show. Characters are Unicode code points, so that no part ends within one. */
export interface BodyPart {
  readonly format: 'text' | 'html';
  readonly offset: number;
  readonly max_chars: number;
}

/** A link of a message. */
export const linkFields = [
  text('url', 'Without tracking parameters. Business data.'),
  text('label', 'Text of the link. Business data.', 'not known'),
  text('link_type', 'product, category, content, social, unsubscribe, preferences, view_online or other.'),
  count('place', 'position', '1: first of its message.', 'not known'),
];
type Link = ObjectOf<typeof linkFields>;

const messageId = text('message_id', 'As other tools take it.');
const channel = text('channel', 'email, sms or popup.');
const variant = text('variant', 'Business data.', 'no variant of another');
const subject = text('subject', 'Business data.', 'it has none');
const preheader = text('preheader', 'Business data.', 'it has none');
const productIds = field({
  key: 'product_ids',
  type: 'list',
  of: 'text',
  definition: 'Products that are always shown.',
});
const hasRecommendations = flag('has_recommendations', 'Also products chosen for each recipient.');
const sizeBytes = count('bytes', 'size_bytes', 'Of the HTML.', 'no HTML');
const smsEncoding = text('sms_encoding', 'gsm7 or ucs2.', 'no SMS');
const smsSegments = count('segments', 'sms_segments', 'Parts, before placeholders are filled in.', 'no SMS');
const popupFields = field({
  key: 'popup_fields',
  type: 'list',
  of: 'text',
  null: 'no popup',
  definition: 'What the form asks for.',
});

/** A message as it is shown. */
export const contentFields = [
  messageId,
  channel,
  variant,
  subject,
  preheader,
  text('sender_name', 'Business data.', 'not known'),
  text('body', 'Without tracking parameters and e-mail addresses; placeholders stay. Business data.'),
  count('characters', 'body_chars', 'Of the whole body, in Unicode.'),
  flag('body_truncated', 'body is not all.'),
  list('links', 'Links of the message, at most 300.', linkFields),
  count('images', 'images_count', 'Images that are no tracking pixels.'),
  count('images', 'images_without_alt_count', 'Images without the attribute alt.'),
  field({
    key: 'placeholders',
    type: 'list',
    of: 'text',
    definition: 'What is filled in for each recipient.',
  }),
  productIds,
  hasRecommendations,
  sizeBytes,
  flag('is_clipped_in_gmail', 'Over 102 KB.', 'no e-mail, or its size is not known'),
  smsEncoding,
  smsSegments,
  popupFields,
];

/** A message as it is stored. */
export const storedMessage = [
  column('message_key', 'integer'),
  messageId,
  channel,
  variant,
  subject,
  preheader,
  nullableColumn('html', 'text'),
  nullableColumn('text', 'text'),
  productIds,
  hasRecommendations,
  sizeBytes,
  smsEncoding,
  smsSegments,
  popupFields,
];
type StoredMessage = Omit<ObjectOf<typeof storedMessage>, 'message_key'>;

/**
 * A message as its recipients read it, before anything is filled in for one of them. What a source filled in
 * already (addresses, tracking) is taken out.
 *
 * @param row of `messages`
 * @param links rows of `links` of the message; where there are none, those of its HTML are given
 */
export function messageContent(
  row: StoredMessage,
  links: readonly Link[],
  senderName: string | null,
  part: BodyPart,
) {
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
        row.channel === 'email' && row.size_bytes !== null ? row.size_bytes > GMAIL_BYTES : null,
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

function textOrEmpty(value: string | null): string {
  return value ?? '';
}

function shownLine(text: string | null): string | null {
  return text === null ? null : shortText(withoutAddresses(text), 1000);
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

function loadedLinks(links: readonly Link[]): Link[] {
  return distinctLinks(
    links.map(({ url, label, link_type, position }) => ({
      url: shortText(withoutAddresses(withoutTracking(url)), 2000),
      label: label === null ? null : shortText(withoutAddresses(label), 300),
      link_type,
      position,
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

/** The links without what differs for each recipient, each of them once. */
function distinctLinks(links: readonly Link[]): Link[] {
  return [...new Map(links.map((link) => [JSON.stringify(link), link])).values()];
}

function tooManyNotes(what: string, count: number, most: number): string[] {
  return count > most ? [`A message has ${count} ${what}, of which the first ${most} are here.`] : [];
}
