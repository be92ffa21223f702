import type { LoadedSource } from '../business/snapshot-facts.ts';
import type { PlainKey } from './sentences.ts';

/** What pages call the kinds of data. */
export const SOURCES_IN_WORDS: Readonly<Record<LoadedSource | 'views', PlainKey>> = {
  orders: 'source.orders',
  sessions: 'source.sessions',
  messages: 'source.messages',
  popups: 'source.popups',
  consents: 'source.consents',
  list_events: 'source.lists',
  views: 'source.views',
};
