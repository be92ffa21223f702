import { z } from 'zod';
import {
  type Access,
  type Check,
  type Json,
  type MissingScope,
  type Page,
  type Stream,
  type Vendor,
  VendorError,
} from '../../vendor.ts';
import { askList, type Parameters } from './ask-list.ts';
import { events } from './events.ts';
import { BEGINNING, earlierOf, type Listing, PLACE, readSince } from './read-since.ts';
import { webhook } from './webhook.ts';

const PROFILES: Listing = {
  path: 'profiles',
  // Names, addresses and what else is known of people are not asked for.
  parameters: {
    'additional-fields[profile]': 'subscriptions',
    'fields[profile]': 'email,phone_number,external_id,created,updated,location.country,subscriptions',
    'page[size]': '100',
  },
  by: 'updated',
  isAfter: true,
};

const FLOWS: Listing = { path: 'flows', parameters: { 'page[size]': '50' }, by: 'updated' };

/** Klaviyo answers campaigns of one channel at a time. */
const CHANNELS = ['email', 'sms'];

const CAMPAIGNS = CHANNELS.map(
  (channel): Listing => ({
    path: 'campaigns',
    parameters: { include: 'campaign-messages', 'page[size]': '100' },
    filter: `equals(messages.channel,"${channel}")`,
    by: 'updated_at',
  }),
);

/** A stream of one list or of several, each with its place. */
function streamOf(name: string, listings: readonly Listing[]): Stream {
  const CURSOR = z.object({ places: z.array(PLACE).length(listings.length) });
  return {
    name,
    landsAs: 'klaviyo-events-json',
    async *read(access: Access, cursor: Json): AsyncIterable<Page> {
      let until = access.now();
      const places = CURSOR.safeParse(cursor).data?.places ?? listings.map(() => BEGINNING);
      for (const [index, listing] of listings.entries()) {
        for await (const { news, included, place, begun } of readSince(
          access,
          listing,
          places[index] ?? BEGINNING,
        )) {
          places[index] = place;
          until = earlierOf(until, begun);
          const isEnd = place.after === null && index === listings.length - 1;
          yield {
            rows: news.length === 0 ? [] : [...news, ...included],
            cursor: { places: [...places] },
            ...(isEnd && { until }),
          };
        }
      }
    },
  };
}

export const klaviyo: Vendor = {
  name: 'klaviyo',
  title: 'Klaviyo',
  settings: z.object({
    host: z
      .string()
      .regex(/^a\.klaviyo\.com$|^127\.0\.0\.1:\d+$/, { error: 'is a.klaviyo.com; only tests have another' })
      .optional()
      .describe('a.klaviyo.com, which need not be said'),
  }),
  secrets: {
    privateKey: {
      title: 'Private API key',
      description: 'a private API key, pk_… (Klaviyo, Settings, API keys)',
    },
    webhookSecret: {
      title: 'Secret of the webhooks',
      description: 'the secret of a webhook of Klaviyo',
      isOptional: true,
      isRare: true,
    },
  },
  streams: [
    streamOf('profiles', [PROFILES]),
    // They come before the events, which are named after them.
    streamOf('flows', [FLOWS]),
    streamOf('campaigns', CAMPAIGNS),
    events,
  ],
  check,
  webhook,
};

const READ: readonly (readonly [path: string, parameters: Parameters, scope: string, costs: string])[] = [
  ['metrics', {}, 'metrics:read', 'no sends, opens and clicks: events have no names'],
  ['events', { 'page[size]': '1' }, 'events:read', 'no sends, opens and clicks'],
  [
    'profiles',
    { 'page[size]': '1' },
    'profiles:read',
    'nobody in Klaviyo is recognised as a buyer, and no consents',
  ],
  ['flows', { 'page[size]': '1' }, 'flows:read', 'automated campaigns have ids instead of names'],
  [
    'campaigns',
    { 'page[size]': '1', filter: 'equals(messages.channel,"email")' },
    'campaigns:read',
    'campaigns have the names that their events have, and no plans',
  ],
];

async function check(access: Access): Promise<Check> {
  const missing: MissingScope[] = [];
  for (const [path, parameters, scope, costs] of READ) {
    if (!(await mayRead(access, path, parameters))) missing.push({ scope, costs });
  }
  if (missing.length === READ.length)
    throw new VendorError('missing_scope', 'this key of Klaviyo may read nothing: make one with read access');
  // No stream needs this scope. It tells whose key it is, so that another key is of the same account.
  const account = (await mayRead(access, 'accounts', {})) ? await askList(access, 'accounts', {}) : null;
  const [own] = account?.data ?? [];
  const { organization_name } = ACCOUNT.safeParse(own?.attributes).data?.contact_information ?? {};
  return {
    account: organization_name ?? 'Klaviyo',
    ...(own === undefined ? {} : { accountId: own.id }),
    missing,
  };
}

const ACCOUNT = z.object({ contact_information: z.object({ organization_name: z.string() }) });

async function mayRead(access: Access, path: string, parameters: Parameters): Promise<boolean> {
  try {
    await askList(access, path, parameters);
    return true;
  } catch (error) {
    if (error instanceof VendorError && error.state === 'missing_scope') return false;
    throw error;
  }
}
