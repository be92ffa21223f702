import { z } from 'zod';
import { shortText, shortTextOrNull } from '../../model/business-text.ts';
import type { AttributionWindows } from '../../model/marketing/attribution-windows.ts';
import { fieldsOf, readStoredJson } from '../../model/stored-json.ts';
import { campaignHistory, campaigns, messages } from '../../model/tables.ts';
import type { Row } from '../../sql/row.ts';
import { parameter, sql } from '../../sql/sql.ts';
import { businessId } from '../arguments.ts';
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
import { count } from '../output.ts';
import { defineTool, plan } from '../tool.ts';

const CHANGES = 50;

const text = z.string().nullable();
const number = (unit: string) => z.number().nullable().describe(`As set up. [${unit}]`);

const windowHours = z.int().nullable().describe('As set up. [hours]');

const setupFields = {
  trigger: z
    .strictObject({
      type: text,
      description: text,
      delay_minutes: number('minutes'),
      re_entry_days: number('days'),
    })
    .nullable()
    .describe('What starts an automation.'),
  messages: z.array(
    z.strictObject({
      message_id: z.string(),
      position: count('1: first of the campaign.'),
      variant: text,
      channel: z.string(),
      subject: text,
      delay_minutes: number('minutes'),
      is_active: z.boolean(),
    }),
  ),
  sender_name: text,
  sender_address: text,
  sending_window: z
    .strictObject({
      weekdays: z.array(z.string()).describe('As loaded.'),
      from_hour: number('hour'),
      to_hour: number('hour'),
    })
    .nullable(),
  frequency_cap: z
    .strictObject({ messages: number('messages'), days: number('days') })
    .nullable()
    .describe('At most so many messages in so many days.'),
  utm: z
    .strictObject({ source: text, medium: text, campaign: text })
    .nullable()
    .describe('As in session_statistics.'),
  ab_test: z
    .strictObject({
      variants: z.array(z.string()),
      test_share: number('percent'),
      decide_by: text,
      decide_after_hours: number('hours'),
    })
    .nullable(),
  control_group_share: number('percent'),
  attribution_open_window_h: windowHours,
  attribution_click_window_h: windowHours,
  history: z
    .array(z.strictObject({ at: z.string(), change: z.string() }))
    .describe('Changes of state, the newest 50.'),
};

export const getCampaign = defineTool({
  name: 'get_campaign',
  title: 'Get campaign',
  group: 'Campaigns',
  description:
    'How one campaign is set up, by its id: trigger, messages and variants, sender, sending times, UTM, A/B test, ' +
    'history. What it says is in get_campaign_content, whom it goes to in get_campaign_targeting, its results in ' +
    'get_campaign_statistics.',
  permissions: ['LIST_CAMPAIGNS'],
  input: z.strictObject({ business_id: businessId, campaign_id: campaignIdArgument }),
  output: z.strictObject({
    business_id: z.string(),
    campaign: z.strictObject({ ...campaignFields, ...setupFields }),
  }),
  plan({ args, facts }) {
    const condition = ofCampaign(args.campaign_id);
    return plan({
      queries: {
        campaign: sql`
          select ${campaignColumns}, "trigger", sender_name, sender_address, sending_window, frequency_cap,
            utm_source, utm_medium, utm_campaign, ab_test, control_group_share
          from ${campaigns} where ${condition}`,
        messages: sql`
          select message_id, position, variant, channel, subject, delay_minutes, is_active
          from ${messages} where ${condition}
          order by position, coalesce(variant, ''), message_id
          limit ${parameter.integer(MOST_MESSAGES)}`,
        total: sql`select count(*) as messages_count from ${messages} where ${condition}`,
        history: sql`
          select changed_at, change from ${campaignHistory} where ${condition}
          order by changed_at desc limit ${parameter.integer(CHANGES)}`,
      },
      answer: ({ campaign, messages, total, history }) => ({
        result: {
          business_id: args.business_id,
          campaign: {
            ...shownSetup(requireCampaign(campaign), messages),
            ...attributionWindows(campaign[0]?.channel, facts.attribution_windows),
            history: history.map(({ changed_at, change }) => ({
              at: changed_at,
              change: shortText(String(change), 300),
            })),
          },
        },
        notes: cutMessagesNotes(Number(total[0]?.messages_count)),
      }),
    });
  },
});

function shownSetup(row: Row, messages: readonly Row[]) {
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

function shownTrigger(row: Row) {
  return shownObject(row.trigger, ({ type, description, delay_minutes, re_entry_days }) => ({
    type: shortTextOrNull(type, 100),
    description: shortTextOrNull(description, 1000),
    delay_minutes: numberOrNull(delay_minutes),
    re_entry_days: numberOrNull(re_entry_days),
  }));
}

/** What a JSON column says; null where it says nothing, or no object. */
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

function variantsOf(messages: readonly Row[]): string[] {
  return texts([...new Set(messages.map(({ variant }) => variant))]);
}

function shownUtm(...values: readonly unknown[]) {
  const [source = null, medium = null, campaign = null] = values.map((value) => shortTextOrNull(value, 300));
  return source === null && medium === null && campaign === null ? null : { source, medium, campaign };
}

/** Nobody opens an SMS as far as one can tell. */
function attributionWindows(channel: unknown, { open, click }: AttributionWindows) {
  return {
    attribution_open_window_h: channel === 'popup' ? null : channel === 'sms' ? 0 : open,
    attribution_click_window_h: channel === 'popup' ? null : click,
  };
}
