import { literal } from '../../store/duckdb-session.ts';
import { textAt, unwrapDocuments } from '../json-resources.ts';
import type { RawRows } from '../source.ts';
import { momentCell, momentOf } from '../source-cells.ts';

export const WRAPPERS = ['batch'];

const TEXT = 'VARCHAR';

/** What is read of a call, as `json_transform` takes it. */
const READ = {
  type: TEXT,
  event: TEXT,
  messageId: TEXT,
  anonymousId: TEXT,
  userId: TEXT,
  timestamp: TEXT,
  originalTimestamp: TEXT,
  receivedAt: TEXT,
  sentAt: TEXT,
  context: {
    campaign: { source: TEXT, medium: TEXT, name: TEXT, content: TEXT, term: TEXT },
    page: { url: TEXT, path: TEXT, referrer: TEXT },
    device: { type: TEXT },
    traits: { email: TEXT, phone: TEXT },
    userAgent: TEXT,
  },
  traits: { email: TEXT, phone: TEXT },
  properties: { url: TEXT, path: TEXT, referrer: TEXT, order_id: TEXT, product_id: TEXT, sku: TEXT },
};

export const TYPES = ['track', 'page', 'screen', 'identify', 'group', 'alias'];

/** SQL: a text of a call; null where it is empty. */
const told = (...paths: readonly string[]) =>
  `coalesce(${paths.map((path) => `nullif(trim(call.${path}), '')`).join(', ')})`;

/** A device by what its browser calls itself. Nothing else of that is kept. */
const DEVICE = `case
    when call.context.device."type" is not null or regexp_matches(call.context."userAgent", '(?i)mobi|iphone|ipod') then
      case when regexp_matches(call.context."userAgent", '(?i)ipad|tablet') then 'tablet' else 'mobile' end
    when regexp_matches(call.context."userAgent", '(?i)ipad|tablet|android') then 'tablet'
    when call.context."userAgent" is not null then 'desktop' end`;

/**
 * Statements that make `segment_calls`: each call once, by its `messageId`, at the moment by the clock of
 * Segment; and of `segment_resources` those that are none. `timestamp` is when it happened, put right by how
 * wrong the clock of the device was; without it that is done here.
 */
export function calls(raw: RawRows): string[] {
  const moment = (name: string) => momentOf(momentCell(told(`"${name}"`), raw.settings));
  const original = moment('originalTimestamp');
  const [sent, received] = [moment('sentAt'), moment('receivedAt')];
  return [
    ...unwrapDocuments(
      raw.relation,
      { documents: 'segment_documents', resources: 'segment_resources' },
      WRAPPERS,
      'anything',
    ),
    `create temp table segment_told as
      with transformed as (
        select _row, place, try(json_transform(resource, ${literal(JSON.stringify(READ))})) as call, ${textAt('resource', 'type')} as type
        from segment_resources
      )
      select _row, place, lower(type) as type, lower(${told('event')}) as event, ${told('"messageId"')} as message_id,
        ${told('"anonymousId"')} as visitor_id, ${told('"userId"')} as user_id,
        coalesce(${moment('timestamp')}, ${received} - (${sent} - ${original}), ${original}, ${received}, ${sent}) as happened_at,
        ${told('context.campaign.source')} as source, ${told('context.campaign.medium')} as medium, ${told('context.campaign.name')} as campaign,
        ${told('context.campaign.content')} as content, ${told('context.campaign.term')} as term,
        ${told('context.page.url', 'properties.url')} as url, ${told('context.page.path', 'properties.path')} as path,
        ${told('context.page.referrer', 'properties.referrer')} as referrer, ${DEVICE} as device,
        ${told('context.page.url', 'context.page.path', 'context.device."type"')} is not null as is_seen,
        ${told('traits.email', 'context.traits.email')} as email, ${told('traits.phone', 'context.traits.phone')} as phone,
        ${told('properties.order_id')} as order_id, ${told('properties.product_id')} as product_id, ${told('properties.sku')} as sku
      from transformed`,
    `create temp table segment_calls as
      select * from segment_told where happened_at is not null and type in (${TYPES.map(literal).join(', ')})
      qualify row_number() over (partition by coalesce(message_id, 'call ' || place) order by happened_at, place) = 1`,
  ];
}

/** SQL: a moment as our own format writes it. */
export const momentText = (moment: string) => `strftime(${moment}, '%Y-%m-%dT%H:%M:%S.%fZ')`;

/**
 * SQL: whether a call is one of some events, by the names of the specification and those of its first
 * version.
 */
export const isEvent = (...names: readonly string[]) => `event in (${names.map(literal).join(', ')})`;

export const ORDER_COMPLETED = isEvent('order completed', 'completed order');
