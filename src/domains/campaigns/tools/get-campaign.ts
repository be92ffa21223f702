import { z } from 'zod';
import { businessId } from '../../../answers/arguments.ts';
import { column, field, nullableColumn, type ObjectOf } from '../../../answers/fields/field.ts';
import { count, flag, list, measure, moment, object, text } from '../../../answers/fields/kinds-of-fields.ts';
import { onlyRow, query } from '../../../answers/fields/query.ts';
import { businessIdField } from '../../../answers/fields/shared-fields.ts';
import { defineTool, plan } from '../../../answers/tool.ts';
import type { AttributionWindows } from '../../../business/attribution-windows.ts';
import { campaignHistory, campaigns, messages } from '../../../model-table/table-names.ts';
import { parameter, sql } from '../../../sql/sql.ts';
import { shortText, shortTextOrNull } from '../../../text/business-text.ts';
import { fieldsOf, readStoredJson } from '../../../text/stored-json.ts';
import { clickWindow, openWindow } from '../../messages/queries/message-fields.ts';
import {
  campaignColumns,
  campaignFields,
  campaignIdArgument,
  cutMessagesNotes,
  MOST_MESSAGES,
  ofCampaign,
  requireCampaign,
  shownCampaign,
  shownSubject,
} from '../campaign-fields.ts';

const CHANGES = 50;

const messageFields = [
  text('message_id', 'As other tools take it.'),
  count('place', 'position', '1: first of the campaign.'),
  text('variant', 'Business data.', 'no variant of another'),
  text('channel', 'email, sms or popup.'),
  text('subject', 'Business data.', 'it has none'),
  measure('minutes', 'delay_minutes', 'Wait before this message.', 'not set'),
  flag('is_active', 'False: it is not sent.'),
];

const history = [moment('at', 'In UTC.'), text('change', 'What changed. Business data.')];

const setupFields = [
  field({
    key: 'trigger',
    type: 'object',
    null: 'not set',
    definition: 'What starts an automation.',
    fields: [
      text('type', 'As set up. Business data.', 'not set'),
      text('description', 'As set up. Business data.', 'not set'),
      field({
        key: 'delay_minutes',
        type: 'number',
        unit: 'minutes',
        null: 'not set',
        definition: 'Wait after the trigger.',
      }),
      measure('days', 're_entry_days', 'Until a person may enter again.', 'not set'),
    ],
  }),
  list('messages', 'By place in the campaign, at most 200.', messageFields),
  text('sender_name', 'As set up. Business data.', 'not set'),
  text('sender_address', 'As set up. Business data.', 'not set'),
  field({
    key: 'sending_window',
    type: 'object',
    null: 'not set',
    definition: 'When messages may be sent.',
    fields: [
      field({ key: 'weekdays', type: 'list', of: 'text', definition: 'As loaded.' }),
      field({
        key: 'from_hour',
        type: 'number',
        unit: 'hour',
        null: 'not set',
        definition: 'Messages may be sent from then on.',
      }),
      measure('hour', 'to_hour', 'Messages may be sent until then.', 'not set'),
    ],
  }),
  field({
    key: 'frequency_cap',
    type: 'object',
    null: 'not set',
    definition: 'At most so many messages in so many days.',
    fields: [
      field({
        key: 'messages',
        type: 'number',
        unit: 'messages',
        null: 'not set',
        definition: 'Most that a person gets in the days of the cap.',
      }),
      measure('days', 'days', 'In which the cap counts messages.', 'not set'),
    ],
  }),
  field({
    key: 'utm',
    type: 'object',
    null: 'not set',
    definition: 'As in session_statistics.',
    fields: [
      text('source', 'As set up. Business data.', 'not set'),
      text('medium', 'As set up. Business data.', 'not set'),
      text('campaign', 'As set up. Business data.', 'not set'),
    ],
  }),
  field({
    key: 'ab_test',
    type: 'object',
    null: 'not set',
    definition: 'What variants are tested by.',
    fields: [
      field({ key: 'variants', type: 'list', of: 'text', definition: 'Business data.' }),
      field({
        key: 'test_share',
        type: 'number',
        unit: 'percent',
        null: 'not set',
        definition: 'Of the test / of the audience.',
      }),
      text('decide_by', 'As set up. Business data.', 'not set'),
      measure('hours', 'decide_after_hours', 'From the test to the choice of the winner.', 'not set'),
    ],
  }),
  measure('percent', 'control_group_share', 'Sent nothing / audience.', 'not set'),
  field({ ...openWindow, null: 'a popup' }),
  field({ ...clickWindow, null: 'a popup' }),
  list('history', 'Changes of state, the newest 50.', history),
];

const setupColumns = [
  nullableColumn('trigger', 'text'),
  nullableColumn('sender_name', 'text'),
  nullableColumn('sender_address', 'text'),
  nullableColumn('sending_window', 'text'),
  nullableColumn('frequency_cap', 'text'),
  nullableColumn('utm_source', 'text'),
  nullableColumn('utm_medium', 'text'),
  nullableColumn('utm_campaign', 'text'),
  nullableColumn('ab_test', 'text'),
  nullableColumn('control_group_share', 'number'),
];
type Message = ObjectOf<typeof messageFields>;
type Setup = ObjectOf<typeof campaignFields> & ObjectOf<typeof setupColumns>;

export const getCampaign = defineTool({
  name: 'get_campaign',
  title: 'Get campaign',
  group: 'Campaigns',
  description:
    'How one campaign is set up: trigger, messages, variants, sender, sending times, UTM, A/B test, history.',
  permissions: ['LIST_CAMPAIGNS'],
  example: { campaign_id: '2026-09-25-posledni-sance' },
  input: z.strictObject({ business_id: businessId, campaign_id: campaignIdArgument }),
  fields: [
    businessIdField,
    object('campaign', 'The campaign asked for.', [...campaignFields, ...setupFields]),
  ],
  plan({ args, facts }) {
    const condition = ofCampaign(args.campaign_id);
    return plan({
      queries: {
        campaign: query(
          [...campaignFields, ...setupColumns],
          sql`
          select ${campaignColumns}, "trigger", sender_name, sender_address, sending_window, frequency_cap,
            utm_source, utm_medium, utm_campaign, ab_test, control_group_share
          from ${campaigns} where ${condition}`,
        ),
        messages: query(
          messageFields,
          sql`
          select message_id, position, variant, channel, subject, delay_minutes, is_active
          from ${messages} where ${condition}
          order by position, coalesce(variant, ''), message_id
          limit ${parameter.integer(MOST_MESSAGES)}`,
        ),
        total: query(
          [column('messages_count', 'integer')],
          sql`select count(*) as messages_count from ${messages} where ${condition}`,
        ),
        history: query(
          [column('changed_at', 'moment'), column('change', 'text')],
          sql`
          select changed_at, change from ${campaignHistory} where ${condition}
          order by changed_at desc limit ${parameter.integer(CHANGES)}`,
        ),
      },
      answer: ({ campaign, messages, total, history }) => ({
        result: {
          business_id: args.business_id,
          campaign: {
            ...shownSetup(requireCampaign(campaign), messages),
            ...attributionWindows(requireCampaign(campaign).channel, facts.attribution_windows),
            history: history.map(({ changed_at, change }) => ({
              at: changed_at,
              change: shortText(change, 300),
            })),
          },
        },
        notes: cutMessagesNotes(onlyRow(total).messages_count),
      }),
    });
  },
});

function shownSetup(row: Setup, messages: readonly Message[]) {
  const { sending_window, frequency_cap, utm_source, utm_medium, utm_campaign, ab_test, ...campaign } = row;
  return {
    ...shownCampaign(campaign),
    trigger: shownTrigger(row),
    messages: messages.map(({ subject, variant, ...message }) => ({
      ...message,
      variant: shortTextOrNull(variant, 100),
      subject: shownSubject(subject),
    })),
    sender_name: shortTextOrNull(row.sender_name, 200),
    sender_address: shortTextOrNull(row.sender_address, 320),
    sending_window: shownObject(sending_window, ({ weekdays, from_hour, to_hour }) => ({
      weekdays: texts(weekdays),
      from_hour: numberOrNull(from_hour),
      to_hour: numberOrNull(to_hour),
    })),
    frequency_cap: shownObject(frequency_cap, ({ messages, days }) => ({
      messages: numberOrNull(messages),
      days: numberOrNull(days),
    })),
    utm: shownUtm(utm_source, utm_medium, utm_campaign),
    ab_test: shownObject(ab_test, ({ variants, test_share, decide_by, decide_after_hours }) => ({
      variants: Array.isArray(variants) ? texts(variants) : variantsOf(messages),
      test_share: numberOrNull(test_share),
      decide_by: shortTextOrNull(decide_by, 100),
      decide_after_hours: numberOrNull(decide_after_hours),
    })),
  };
}

function shownTrigger(row: Setup) {
  return shownObject(row.trigger, ({ type, description, delay_minutes, re_entry_days }) => ({
    type: shortTextOrNull(type, 100),
    description: shortTextOrNull(description, 1000),
    delay_minutes: numberOrNull(delay_minutes),
    re_entry_days: numberOrNull(re_entry_days),
  }));
}

/** The object in a JSON column; null if it holds nothing, or no object. */
function shownObject<Shown>(
  stored: unknown,
  show: (fields: Readonly<Record<string, unknown>>) => Shown,
): Shown | null {
  const fields = fieldsOf(readStoredJson(stored));
  return Object.keys(fields).length === 0 ? null : show(fields);
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function texts(values: unknown): string[] {
  if (!Array.isArray(values)) return [];
  return values
    .filter((value) => typeof value === 'string' || typeof value === 'number')
    .slice(0, 100)
    .map((value) => shortText(String(value), 100));
}

function variantsOf(messages: readonly Message[]): string[] {
  return texts([...new Set(messages.map(({ variant }) => variant))]);
}

function shownUtm(...values: readonly unknown[]) {
  const [source = null, medium = null, campaign = null] = values.map((value) => shortTextOrNull(value, 300));
  return source === null && medium === null && campaign === null ? null : { source, medium, campaign };
}

/** Nobody opens an SMS as far as one can tell. */
function attributionWindows(channel: string, { open, click }: AttributionWindows) {
  return {
    attribution_open_window_h: channel === 'popup' ? null : channel === 'sms' ? 0 : open,
    attribution_click_window_h: channel === 'popup' ? null : click,
  };
}
