/**
 * What a build of the model does outside of the SQL of its tables. All that it imports counts for the version of the model,
 * so that tables are built anew when it changes: see `codeVersion`.
 */

export { listsTargetedIn, referencesIn } from '../src/domains/segments/tables/named-in-queries.ts';
export { internalHosts } from '../src/domains/traffic/tables/channels.ts';
export { readFacts } from '../src/snapshot/build/model-facts.ts';
export { NAMES } from '../src/snapshot/incremental/names.ts';
export { SEEDS } from '../src/snapshot/incremental/seeds.ts';
export { hashKey, keyedHashSql } from '../src/store/keyed-hash.ts';
