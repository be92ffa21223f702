import { z } from 'zod';
import { MESSAGE_METRICS } from '../../../sources/klaviyo/metrics.ts';
import type { Access, Json, Page, Stream } from '../../vendor.ts';
import { pagesWithin } from '../idle-pages.ts';
import { askList, type Resource } from './ask-list.ts';
import { BEGINNING, earlierOf, PLACE, type Place, readSince } from './read-since.ts';

/** The most that its OpenAPI file allows. */
const PAGE_SIZE = '1000';

/** The places by metric: each metric has a place of its own. */
const CURSOR = z.object({ places: z.record(z.string(), PLACE) });

/**
 * Events of messages, metric by metric. Other events, such as each page that somebody looked at, are many
 * times more and not imported. Each page brings the name of the metric, without which its events mean
 * nothing.
 */
export const events: Stream = { name: 'events', landsAs: 'klaviyo-events-json', read };

async function* read(access: Access, cursor: Json): AsyncIterable<Page> {
  const places: Record<string, Place> = { ...CURSOR.safeParse(cursor).data?.places };
  let until = access.now();
  const metrics = await messageMetrics(access);
  for (const [index, metric] of metrics.entries()) {
    const listing = {
      path: 'events',
      parameters: { 'fields[event]': 'datetime,event_properties,timestamp,uuid', 'page[size]': PAGE_SIZE },
      filter: `equals(metric_id,"${metric.id}")`,
      by: 'datetime',
    };
    for await (const { news, place, begun } of readSince(access, listing, places[metric.id] ?? BEGINNING)) {
      places[metric.id] = place;
      until = earlierOf(until, begun);
      const isEnd = place.after === null && index === metrics.length - 1;
      yield {
        rows: news.length === 0 ? [] : [metric, ...news.map((event) => withMetric(event, metric))],
        cursor: { places: { ...places } },
        ...(isEnd && { until }),
      };
    }
  }
}

/** Names repeat per integration: only Klaviyo's own tell of its messages. */
async function messageMetrics(access: Access): Promise<Resource[]> {
  const found: Resource[] = [];
  const met = pagesWithin("Klaviyo's list of metrics");
  let after: string | null = null;
  do {
    const list = await askList(access, 'metrics', after === null ? {} : { 'page[cursor]': after });
    met();
    found.push(...list.data);
    after = list.after;
  } while (after !== null);
  return found.filter((metric) => {
    const { name, integration } = METRIC.parse(metric.attributes ?? {});
    return MESSAGE_METRICS.has(name ?? '') && (integration?.name ?? 'Klaviyo') === 'Klaviyo';
  });
}

const METRIC = z.object({
  name: z.string().nullish(),
  integration: z.looseObject({ name: z.string().nullish() }).nullish(),
});

/** Klaviyo may leave the relationship without the id that was asked for. */
function withMetric(event: Resource, { id }: Resource): Json {
  const relationships = (event.relationships ?? {}) as Readonly<Record<string, Json>>;
  return { ...event, relationships: { ...relationships, metric: { data: { type: 'metric', id } } } };
}
