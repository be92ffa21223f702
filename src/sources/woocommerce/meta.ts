import { listAt } from '../json-resources.ts';

/** SQL: the value under a key of `meta_data`. */
export function metaAt(value: string, key: string): string {
  return `nullif(list_filter(${listAt(value, 'meta_data')}, lambda meta: meta->>'$.key' = '${key}')[1]->>'$.value', '')`;
}
