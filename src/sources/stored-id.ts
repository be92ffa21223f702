import { TEXT_KINDS } from '../store/personal-data/text-kinds.ts';
import { literal } from '../store/session.ts';

/** SQL: an id as rows of earlier imports have it: the gate for personal data changes ids that look like some. */
export function storedId(kind: 'recordId' | 'personId', id: string): string {
  return `case when regexp_matches(${id}, ${literal(TEXT_KINDS[kind].signs)}) then stored_text('${kind}', ${id}) else ${id} end`;
}
