import { REVISION } from '../../../../src/live/vendors/klaviyo/ask-list.ts';
import { between, type Random } from '../random.ts';
import { type StubAnswer, type StubRequest, type StubServer, startStub } from '../stub-server.ts';
import { type MadeAccount, METRICS } from './made-account.ts';

export const KEY = { privateKey: 'pk_stub' };

/**
 * What a list of Klaviyo's may be asked for, in the words of its OpenAPI file, with which a test compares it.
 */
interface Collection {
  readonly parameters: readonly string[];
  readonly sort: readonly string[];
  /** Each field has the operators of its filter. */
  readonly filter: Readonly<Record<string, readonly string[]>>;
  readonly size: { readonly fallback: number; readonly most: number } | null;
  readonly scope: string;
}

const FROM_AND_TO = ['greater-or-equal', 'greater-than', 'less-or-equal', 'less-than'];

export const COLLECTIONS: Readonly<Record<string, Collection>> = {
  accounts: { parameters: ['fields[account]'], sort: [], filter: {}, size: null, scope: 'accounts:read' },
  metrics: {
    parameters: ['fields[flow]', 'fields[metric]', 'filter', 'include', 'page[cursor]'],
    sort: [],
    filter: { 'integration.name': ['equals'], 'integration.category': ['equals'] },
    size: null,
    scope: 'metrics:read',
  },
  events: {
    parameters: [
      ...['fields[attribution]', 'fields[event]', 'fields[metric]', 'fields[profile]', 'filter', 'include'],
      ...['page[cursor]', 'page[size]', 'sort'],
    ],
    sort: ['datetime', '-datetime', 'timestamp', '-timestamp'],
    filter: { metric_id: ['equals'], profile_id: ['equals'], datetime: FROM_AND_TO, timestamp: FROM_AND_TO },
    size: { fallback: 200, most: 1000 },
    scope: 'events:read',
  },
  profiles: {
    parameters: [
      ...[
        'additional-fields[profile]',
        'fields[conversation]',
        'fields[profile]',
        'fields[push-token]',
        'filter',
      ],
      ...['include', 'page[cursor]', 'page[size]', 'sort'],
    ],
    sort: ['created', '-created', 'email', '-email', 'id', '-id', 'updated', '-updated'],
    filter: {
      created: ['greater-than', 'less-than'],
      updated: ['greater-than', 'less-than'],
      id: ['any', 'equals'],
    },
    size: { fallback: 20, most: 100 },
    scope: 'profiles:read',
  },
  flows: {
    parameters: [
      ...[
        'fields[flow-action]',
        'fields[flow]',
        'fields[tag]',
        'filter',
        'include',
        'page[cursor]',
        'page[size]',
      ],
      'sort',
    ],
    sort: ['created', '-created', 'id', '-id', 'name', '-name', 'updated', '-updated'],
    filter: { updated: ['equals', ...FROM_AND_TO], created: ['equals', ...FROM_AND_TO] },
    size: { fallback: 50, most: 50 },
    scope: 'flows:read',
  },
  campaigns: {
    parameters: [
      ...['fields[campaign-message]', 'fields[campaign]', 'fields[tag]', 'filter', 'include', 'page[cursor]'],
      ...['page[size]', 'sort'],
    ],
    sort: ['created_at', '-created_at', 'id', '-id', 'name', '-name', 'updated_at', '-updated_at'],
    filter: { 'messages.channel': ['equals'], updated_at: FROM_AND_TO, created_at: FROM_AND_TO },
    size: { fallback: 100, most: 100 },
    scope: 'campaigns:read',
  },
};

interface Entry {
  readonly id: string;
  readonly type: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, unknown>>;
  /** What only filters see. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly included?: readonly object[];
}

export interface KlaviyoStub extends StubServer {
  readonly account: MadeAccount;
  readonly scopes: Set<string>;
  /** The most that a page has here, so that there are many pages of few. */
  mostPerPage: number;
  /** Places that were given before are refused from now on. */
  endPlaces(): void;
  beforeAnswer: () => void;
}

/** Klaviyo's API as a client of it meets it. */
export async function startKlaviyoStub(
  account: MadeAccount,
  random: Random,
  port?: number,
): Promise<KlaviyoStub> {
  let epoch = 0;
  const refused = (status: number, code: string, detail: string, headers = {}): StubAnswer => ({
    status,
    headers,
    body: { errors: [{ id: 'stub', status, code, title: code, detail, source: { pointer: '/data/' } }] },
  });
  const invalid = (detail: string) => refused(400, 'invalid', detail);

  const answer = async (request: StubRequest, fault: 'own' | null): Promise<StubAnswer> => {
    stub.beforeAnswer();
    // The quota of the day is used up.
    if (fault === 'own')
      return refused(429, 'throttled', 'Request was throttled.', {
        'retry-after': String(between(random, 1, 4) * 3600),
      });
    const [, name = ''] = /^\/api\/([a-z]+)\/?$/.exec(request.url.pathname) ?? [];
    const collection = COLLECTIONS[name];
    if (collection === undefined || request.method !== 'GET') return refused(404, 'not_found', 'Not found');
    if (request.headers.authorization !== `Klaviyo-API-Key ${KEY.privateKey}`)
      return refused(401, 'not_authenticated', 'Missing or invalid private key.');
    if (request.headers.revision !== REVISION) return refused(400, 'invalid_revision', 'No such revision');
    if (!stub.scopes.has(collection.scope))
      return refused(403, 'permission_denied', 'You do not have permission');
    return list(name, collection, request.url.searchParams);
  };

  function list(name: string, collection: Collection, parameters: URLSearchParams): StubAnswer {
    for (const parameter of parameters.keys())
      if (!collection.parameters.includes(parameter))
        return invalid(`'${parameter}' is not a valid parameter`);
    const sort = parameters.get('sort') ?? collection.sort[0] ?? 'id';
    if (parameters.has('sort') && !collection.sort.includes(sort)) return invalid(`sort ${sort}`);
    const size = Number(parameters.get('page[size]') ?? collection.size?.fallback ?? 100);
    if (!(size >= 1 && size <= (collection.size?.most ?? 100))) return invalid(`page size ${size}`);
    const filters = filtersOf(parameters.get('filter'), collection);
    if (typeof filters === 'string') return invalid(filters);
    if (name === 'campaigns' && !filters.some(({ field }) => field === 'messages.channel'))
      return invalid('A channel filter is required to list campaigns');
    const place = placeOf(parameters.get('page[cursor]'));
    if (place === 'refused') return invalid('Invalid cursor');
    const found = entriesOf(name, parameters)
      .filter((entry) => filters.every((filter) => isFound(entry, filter)))
      .map((entry) => ({ entry, key: String(entry.attributes[sort] ?? entry.id) }))
      .filter(
        ({ entry, key }) => place === null || key > place.key || (key === place.key && entry.id > place.id),
      )
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.entry.id < b.entry.id ? -1 : 1));
    const page = found.slice(0, Math.min(size, stub.mostPerPage));
    const last = page.at(-1);
    const next = new URL(`https://a.klaviyo.com/api/${name}?${parameters}`);
    if (last !== undefined)
      next.searchParams.set(
        'page[cursor]',
        Buffer.from(JSON.stringify([epoch, last.key, last.entry.id])).toString('base64url'),
      );
    const included = page.flatMap(({ entry }) => entry.included ?? []);
    return {
      status: 200,
      headers: { 'content-type': 'application/vnd.api+json' },
      body: {
        data: page.map(({ entry: { type, id, attributes, relationships } }) => ({
          ...{ type, id, attributes, links: { self: `https://a.klaviyo.com/api/${name}/${id}/` } },
          ...(relationships && { relationships }),
        })),
        ...(included.length > 0 && { included }),
        links: {
          self: `https://a.klaviyo.com/api/${name}/`,
          ...(page.length < found.length && { next: next.href }),
        },
      },
    };
  }

  function placeOf(cursor: string | null): { key: string; id: string } | 'refused' | null {
    if (cursor === null) return null;
    const [given, key, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return given === epoch ? { key, id } : 'refused';
  }

  function entriesOf(name: string, parameters: URLSearchParams): Entry[] {
    if (name === 'accounts')
      return [
        {
          type: 'account',
          id: 'ACC',
          attributes: ACCOUNT,
        },
      ];
    if (name === 'metrics')
      return Object.entries(METRICS).map(([id, [metric, integration]]) => ({
        ...{ type: 'metric', id },
        attributes: {
          name: metric,
          created: '2026-01-01T00:00:00+00:00',
          updated: '2026-01-01T00:00:00+00:00',
          integration: { name: integration },
        },
      }));
    if (name === 'events')
      return [...account.events.values()].map(({ id, metric, profile, at, properties }) => ({
        ...{ type: 'event', id, hidden: { metric_id: metric, profile_id: profile } },
        attributes: {
          timestamp: Math.floor(at / 1000),
          event_properties: properties,
          datetime: moment(at),
          uuid: id,
        },
        relationships: {
          profile: { data: { type: 'profile', id: profile }, links: linksOf(`events/${id}/profile`) },
          metric: { data: { type: 'metric', id: metric }, links: linksOf(`events/${id}/metric`) },
        },
      }));
    if (name === 'profiles') return profiles(parameters);
    if (name === 'flows')
      return [...account.flows.values()].map(({ id, name: flow, createdAt, updatedAt }) => ({
        ...{ type: 'flow', id },
        attributes: {
          ...{ name: flow, status: 'live', archived: false, trigger_type: 'Metric' },
          ...{ created: moment(createdAt), updated: moment(updatedAt) },
        },
      }));
    return campaigns(parameters.get('include') === 'campaign-messages');
  }

  function profiles(parameters: URLSearchParams): Entry[] {
    const fields = parameters.get('fields[profile]')?.split(',') ?? null;
    const withSubscriptions = parameters.get('additional-fields[profile]') === 'subscriptions';
    return [...account.profiles.values()].map(
      ({ id, email, createdAt, updatedAt, consent, consentAt, suppressions }) => {
        const attributes: Record<string, unknown> = {
          ...{ email, phone_number: null, external_id: null, first_name: 'Ann', last_name: 'Example' },
          ...{ created: moment(createdAt), updated: moment(updatedAt), location: { country: 'Czechia' } },
          ...(withSubscriptions && {
            subscriptions: {
              email: {
                marketing: {
                  ...{ can_receive_email_marketing: consent === 'SUBSCRIBED', consent },
                  ...{ consent_timestamp: consentAt === null ? null : moment(consentAt), last_updated: null },
                  suppression: suppressions.map(({ reason, at }) => ({ reason, timestamp: moment(at) })),
                  list_suppressions: [],
                },
              },
              sms: null,
            },
          }),
        };
        const asked = Object.entries(attributes).filter(
          ([name]) => fields === null || fields.some((field) => field.split('.', 1)[0] === name),
        );
        return { type: 'profile', id, attributes: Object.fromEntries(asked) };
      },
    );
  }

  function campaigns(withMessages: boolean): Entry[] {
    return [...account.campaigns.values()].map(
      ({ id, message, channel, name, status, createdAt, updatedAt, sentAt }) => ({
        ...{ type: 'campaign', id, hidden: { 'messages.channel': channel } },
        attributes: {
          ...{ name, status, archived: false, audiences: { included: ['L1'], excluded: [] } },
          ...{ send_options: { use_smart_sending: true }, tracking_options: null },
          send_strategy: { method: 'static', datetime: moment(sentAt ?? createdAt), options: null },
          ...{ created_at: moment(createdAt), scheduled_at: null, updated_at: moment(updatedAt) },
          send_time: sentAt === null ? null : moment(sentAt),
        },
        relationships: {
          'campaign-messages': {
            data: [{ type: 'campaign-message', id: message }],
            links: linksOf(`campaigns/${id}/campaign-messages`),
          },
        },
        ...(withMessages && {
          included: [
            {
              ...{
                type: 'campaign-message',
                id: message,
                links: { self: `https://a.klaviyo.com/api/campaign-messages/${message}/` },
              },
              attributes: {
                definition: { channel, ...(channel === 'email' ? { label: name } : {}), content: {} },
                ...{ send_times: null, created_at: moment(createdAt), updated_at: moment(updatedAt) },
              },
            },
          ],
        }),
      }),
    );
  }

  const server = await startStub(answer, random, port);
  const stub: KlaviyoStub = Object.assign(server, {
    account,
    scopes: new Set(Object.values(COLLECTIONS).map(({ scope }) => scope)),
    mostPerPage: 1000,
    endPlaces: () => {
      epoch += 1;
    },
    beforeAnswer: () => {},
  });
  return stub;
}

const ACCOUNT = {
  test_account: true,
  contact_information: {
    ...{ default_sender_name: 'Made account', default_sender_email: 'shop@shop.example', website_url: null },
    organization_name: 'Made account',
    street_address: { address1: null, address2: null, city: null, region: null, country: null, zip: null },
  },
  ...{
    industry: null,
    timezone: 'Europe/Prague',
    preferred_currency: 'EUR',
    public_api_key: 'ABC123',
    locale: 'en-US',
  },
};

const moment = (milliseconds: number) =>
  new Date(milliseconds).toISOString().replace(/\.(\d+)Z$/, '.$1000+00:00');

const linksOf = (path: string) => ({
  self: `https://a.klaviyo.com/api/${path.replace(/\/([^/]+)$/, '/relationships/$1')}/`,
  related: `https://a.klaviyo.com/api/${path}/`,
});

interface Filter {
  readonly operator: string;
  readonly field: string;
  readonly value: string;
}

function filtersOf(text: string | null, { filter }: Collection): Filter[] | string {
  if (text === null) return [];
  const found: Filter[] = [];
  for (const part of text.split(/,(?=[a-z-]+\()/)) {
    const [, operator = '', field = '', written = ''] = /^([a-z-]+)\(([\w.]+),(.+)\)$/.exec(part) ?? [];
    if (!filter[field]?.includes(operator)) return `filter ${part} is not supported`;
    const isMoment = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(written);
    // Texts stand in quotation marks, moments do not.
    if (isMoment === /^".*"$/.test(written) || (operator === 'equals') === isMoment)
      return `the value of ${part}`;
    found.push({ operator, field, value: written.replaceAll('"', '') });
  }
  return found;
}

function isFound({ attributes, hidden }: Entry, { operator, field, value }: Filter): boolean {
  const has = String(hidden?.[field] ?? attributes[field] ?? '');
  if (operator === 'equals') return has === value;
  const difference = Date.parse(has) - Date.parse(value);
  return operator === 'greater-than' ? difference > 0 : difference >= 0;
}
