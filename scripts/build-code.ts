/**
 * What a build of the model does outside of the SQL of its tables. All that it imports counts for the version
 * of the model, so that tables are built anew when it changes: see `codeVersion`.
 */

export { listsTargetedIn, referencesIn } from '../src/domains/segments/tables/named-in-queries.ts';
export { internalHosts } from '../src/domains/traffic/tables/channels.ts';
export { buildModel } from '../src/snapshot/build/build-model.ts';
export { readFacts } from '../src/snapshot/build/model-facts.ts';
export { buildPartialModel } from '../src/snapshot/incremental/partial-model.ts';
export { updateModel } from '../src/snapshot/incremental/update-model.ts';
export { doubtsAfter, findWarnings } from '../src/snapshot/warnings.ts';
export { hashKey, keyedHashSql } from '../src/store/keyed-hash.ts';
