import { plural } from '../../text/plural.ts';
import type { Finding } from '../source.ts';
import { MESSAGE_EVENTS, MESSAGE_METRICS, METRICS_OF_CONSENT, METRICS_OF_SENDS } from './metrics.ts';
import { isOneOf } from './value-lists.ts';

/** A consent says enough without a message; a send, an open and a click say nothing. */
const NEEDS_MESSAGE = [...METRICS_OF_SENDS, ...Object.keys(MESSAGE_EVENTS)].filter(
  (metric) => !METRICS_OF_CONSENT.includes(metric),
);

/** What is told of events that become no row of ours; a metric without a name is a reject. */
export const FINDINGS_OF_EVENTS: readonly Finding[] = [
  {
    count: `select count(*) from klaviyo_events where is_own and message_id is null and ${isOneOf(NEEDS_MESSAGE)}`,
    says: (count) =>
      `${plural(count, 'send, open or click names', 'sends, opens and clicks name')} neither a campaign nor a flow, and ${count === 1 ? 'is' : 'are'} not counted`,
  },
  {
    count: `select count(*) from klaviyo_events
      where not is_unnamed and not coalesce(is_own and ${isOneOf([...MESSAGE_METRICS])}, false)`,
    says: (count) =>
      `${plural(count, 'event is of another kind', 'events are of other kinds')}, such as orders, visits and messages that were dropped, and ${count === 1 ? 'is' : 'are'} not imported`,
  },
];

export const FINDING_OF_PROFILES: Finding = {
  count: `select count(*) from klaviyo_resources
    where type = 'profile' and not json_exists(resource, '$.attributes.subscriptions')`,
  says: (count) =>
    `${plural(count, 'profile does', 'profiles do')} not say who consented (export them with additional-fields[profile]=subscriptions): of ${count === 1 ? 'it' : 'them'} only consents that events tell of are known`,
};
