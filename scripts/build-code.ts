/**
 * What a build of the model does outside of the SQL of its tables. All that it imports counts for the version of the model,
 * so that tables are built anew when it changes: see `codeVersion`.
 */
export { internalHosts } from '../src/build/channels.ts';
export { NAMES } from '../src/build/incremental/names.ts';
export { SEEDS } from '../src/build/incremental/seeds.ts';
export { listsTargetedIn, referencesIn } from '../src/build/marketing/named-in-queries.ts';
export { readFacts } from '../src/build/model-facts.ts';
export { hashKey, keyedHashSql } from '../src/ingest/keyed-hash.ts';
