import { plural } from '../../text/plural.ts';
import { klaviyoEvents } from '../klaviyo/events.ts';
import { FINDINGS_OF_EVENTS } from '../klaviyo/events-not-imported.ts';
import { relationOf } from '../relations.ts';
import type { RawRows, SourceOfTables } from '../source.ts';

import {
  cellOfPresent,
  column,
  contactCell,
  currentOf,
  currentRows,
  type FivetranTable,
  fivetranTable,
  flagCell,
  isHashed,
  jsonOf,
  needed,
  utcCell,
} from './fivetran-cells.ts';

const NAME = 'klaviyo-fivetran';
const SOURCE = { name: NAME };
const DOCUMENTS = 'klaviyo_fivetran_documents';

/** A property of an event, by both names that Fivetran gives it. */
const property = (name: string) => column(`property_${name}`, `property${name.replaceAll('_', '')}`);

const TABLES = {
  event: fivetranTable(['id'], {
    names: ['event'],
    signature: [['metric_id'], ['person_id', 'datetime']],
    absent: 'no sends, opens, clicks and consents',
    columns: {
      id: needed('which event it is', 'id'),
      person_id: needed('whose event it is', 'person_id'),
      metric_id: needed('what happened', 'metric_id'),
      datetime: needed('when it happened', 'datetime'),
      type: column('type'),
      campaign_id: needed('which message it is about', 'campaign_id'),
      flow_id: needed('which flow sent it', 'flow_id'),
      flow_message_id: needed('which message of a flow it is about', 'flow_message_id'),
      variation: column('_variation'),
      cohort: {
        ...property('cohort_message_send_cohort'),
        absent: 'messages that a flow sends a person twice count once',
      },
      campaign_name: property('campaign_name'),
      subject: property('subject'),
      domain: property('email_domain'),
      bounce_type: { ...property('bounce_type'), absent: 'each bounce counts as a hard one' },
      url: property('url'),
      client: property('client_name'),
      machine_open: property('machine_open'),
      bot_click: property('bot_click'),
    },
  }),
  metric: fivetranTable(['id'], {
    names: ['metric'],
    signature: [['integration_id', 'integration_name', 'name']],
    absent: 'events are told by their type alone, whosever metric it is',
    columns: {
      id: needed('which metric it is', 'id'),
      name: needed('its name', 'name'),
      integration_name: column('integration_name'),
    },
  }),
  person: fivetranTable(['id'], {
    names: ['person'],
    signature: [['email'], ['phone_number', 'last_event_date', 'created']],
    absent: 'profiles are known by their ids alone, and meet nobody of the shop',
    columns: {
      id: needed('who it is', 'id'),
      email: { header: ['email'], absent: 'profiles meet nobody of the shop by e-mail' },
      phone: column('phone_number'),
      external_id: column('external_id'),
      country: column('country'),
      created: column('created'),
    },
  }),
  campaign: fivetranTable(['id'], {
    names: ['campaign'],
    signature: [['name'], ['campaign_type', 'status_id', 'status_label', 'email_template_id', 'archived']],
    absent: 'campaigns have the names that their events have',
    columns: {
      id: needed('which campaign it is', 'id'),
      name: needed('its name', 'name'),
      status: column('status'),
      archived: column('archived'),
      created: column('created', 'created_at'),
      updated: column('updated', 'updated_at'),
      send_time: column('send_time'),
      scheduled: column('scheduled', 'scheduled_at'),
    },
  }),
  flow: fivetranTable(['id'], {
    names: ['flow'],
    signature: [['name'], ['trigger_type', 'customer_filter', 'archived', 'status']],
    absent: 'flows are known by their ids alone',
    columns: {
      id: needed('which flow it is', 'id'),
      name: needed('its name', 'name'),
      status: column('status'),
      archived: column('archived'),
      created: column('created'),
      updated: column('updated'),
    },
  }),
} as const satisfies Readonly<Record<string, FivetranTable>>;

const current = (table: keyof typeof TABLES) => currentOf(SOURCE, table);

/** What Fivetran landed of Klaviyo, as the documents that its API answers with. */
export const klaviyoFivetran: SourceOfTables = {
  name: NAME,
  title: "Klaviyo, Fivetran's tables",
  columns: {},
  tables: TABLES,
  settings: ['encoding', 'schema'],
  comparesBefore: true,
  questions: () => [],
  assumptions: (raw) => [
    'times without an offset are in UTC, as Fivetran writes them',
    'consents are those that events tell of',
    ...klaviyoEvents.assumptions(raw),
  ],
  findings: () => [
    {
      count: `select count(*) from "${relationOf(SOURCE, 'event')}" where id is null`,
      says: (count) => `${plural(count, 'event without an id is', 'events without an id are')} not read`,
    },
    {
      count: `select count(distinct metric_id) from "${current('event')}" where metric_id not in (select id from "${current('metric')}")`,
      says: (count) =>
        `${plural(count, 'metric is', 'metrics are')} not in the files: events of ${count === 1 ? 'it' : 'them'} are told by their type`,
    },
    ...FINDINGS_OF_EVENTS,
  ],
  prepare: (raw) => [
    ...Object.entries(TABLES).map(([table, declared]) => currentRows(SOURCE, table, declared, raw)),
    `create temp table ${DOCUMENTS} as
      select _file, _row as place, cast(document as varchar) as document, state from (${documentsOf(raw)}) order by place`,
    ...(['living', 'gone'] as const).map(
      (state) =>
        `create temp view ${DOCUMENTS}_${state} as select _file, place as rowid, document from ${DOCUMENTS} where state in ('named', '${state}')`,
    ),
    // What deleted events had become is found first, so that what the living ones become is made without
    // them.
    ...(klaviyoEvents.prepare?.(documentsThat(raw, 'gone')) ?? []),
    ...Object.entries(KEYS_OF_EVENTS).map(
      ([table, keys]) => `create temp table ${goneOf(table)} as
        select min(_row) as _row, ${keys} from (${klaviyoEvents.translate(raw)[table]}) where ${keys.split(', ')[0]} is not null
          and _row in (select _row from "${current('event')}") group by all`,
    ),
    ...(klaviyoEvents.prepare?.(documentsThat(raw, 'living')) ?? []),
  ],
  translate: (raw) =>
    Object.fromEntries(
      Object.entries(klaviyoEvents.translate(raw)).map(([table, select]) => [
        table,
        `select t.*, _row in (${DELETED}) as _deleted from (${select}) as t ${goneRows(table, select)} order by _row`,
      ]),
    ),
  missing: (raw) => klaviyoEvents.missing?.(raw) ?? {},
};

/** The documents of living rows or of events that are gone, each with the metrics that name them. */
const documentsThat = (raw: RawRows, state: 'living' | 'gone'): RawRows => ({
  ...raw,
  relation: `${DOCUMENTS}_${state}`,
});

/**
 * What events become row by row, with its keys. Campaigns and messages are shared by many events, so no event
 * takes them along.
 */
const KEYS_OF_EVENTS: Readonly<Record<string, string>> = {
  sends: 'send_id',
  message_events: 'event_id',
  consent_events: 'profile_id, channel, "at"',
};

const goneOf = (table: string) => `klaviyo_fivetran_gone_${table}`;

/**
 * SQL: the rows that go with their events, but for those that other events tell as well: of a send, also its
 * opens and clicks.
 */
function goneRows(table: string, living: string): string {
  const keys = KEYS_OF_EVENTS[table];
  if (keys === undefined) return '';
  const rows = `union all by name select *, true as _deleted from ${goneOf(table)}`;
  if (table === 'message_events') return rows;
  return `${rows} anti join ${table === 'sends' ? 'klaviyo_events' : `(${living})`} as told using (${keys})`;
}

/** Rows that were deleted: what they became goes. */
const DELETED = Object.keys(TABLES)
  .filter((table) => table !== 'event')
  .map((table) => `select _row from "${currentOf(SOURCE, table)}" where is_deleted`)
  .join(' union all ');

/**
 * The id of an event's metric; one that is not among the metrics is told by the type that its events have.
 */
const METRIC_ID = `case when metric_id in (select id from "${current('metric')}") then metric_id else metric_id || ' ' || type end`;

/** @param raw what the tables tell: a column that is not there is no answer */
function documentsOf(raw: RawRows): string {
  const told = cellOfPresent(raw, 'person');
  const person = jsonOf({
    email: told('email', contactCell('email'), isHashed('email')),
    phone_number: told('phone', contactCell('phone'), isHashed('phone')),
    external_id: told('external_id', 'external_id'),
    location: told('country', `json_object('country', country)`),
    created: told('created', utcCell('created')),
  });
  return `
  select _file, _row, 'named' as state, json_object('type', 'metric', 'id', id, 'attributes', json_object('name', name,
    'integration', json_object('name', integration_name))) as document
  from "${current('metric')}"
  union all
  select min(_file), min(_row), 'named', json_object('type', 'metric', 'id', ${METRIC_ID}, 'attributes', json_object('name', any_value(type)))
  from "${current('event')}" where metric_id not in (select id from "${current('metric')}") and type is not null group by ${METRIC_ID}
  union all
  select _file, _row, case when is_deleted then 'gone' else 'living' end, json_object('type', 'event', 'id', id,
    'attributes', json_object('datetime', ${utcCell('datetime')}, 'event_properties', json_object(
      '$message', coalesce(flow_message_id, campaign_id), '$flow', flow_id, '$variation', variation,
      '$_cohort$message_send_cohort', cohort, 'Campaign Name', campaign_name, 'Subject', subject, 'Email Domain', domain,
      'Bounce Type', bounce_type, 'URL', url, 'Client Name', client, 'machine_open', ${flagCell('machine_open')},
      'Bot Click', ${flagCell('bot_click')})),
    'relationships', json_object('profile', json_object('data', json_object('id', person_id)),
      'metric', json_object('data', json_object('id', coalesce(${METRIC_ID}, metric_id)))))
  from "${current('event')}"
  union all
  select _file, _row, 'living', json_object('type', 'profile', 'id', id, 'attributes', ${person})
  from "${current('person')}"
  union all
  select _file, _row, 'living', json_object('type', 'campaign', 'id', id, 'attributes', json_object('name', name, 'status', status,
    'archived', ${flagCell('archived')}, 'created_at', ${utcCell('created')}, 'updated_at', ${utcCell('updated')},
    'send_time', ${utcCell('send_time')}, 'scheduled_at', ${utcCell('scheduled')}))
  from "${current('campaign')}"
  union all
  select _file, _row, 'living', json_object('type', 'flow', 'id', id, 'attributes', json_object('name', name, 'status', status,
    'archived', ${flagCell('archived')}, 'created', ${utcCell('created')}, 'updated', ${utcCell('updated')}))
  from "${current('flow')}"`;
}
