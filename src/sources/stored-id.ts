import { literal } from '../store/duckdb-session.ts';
import { TEXT_KINDS } from '../store/personal-data/text-kinds.ts';

/**
 * SQL: an id as rows of earlier imports have it: the gate for personal data changes ids that look like some.
 */
export function storedId(kind: 'recordId' | 'personId', id: string): string {
  return `case when regexp_matches(${id}, ${literal(TEXT_KINDS[kind].signs)}) then stored_text('${kind}', ${id}) else ${id} end`;
}

/**
 * SQL: an id that is made of a person's, such as `~ga4 user 7`. TRICKY: the gate does not know a phone number
 * with other characters around it, so it is made of what is stored of the person's id.
 */
export function idMadeOf(
  person: string,
  { before = '', after }: { readonly before?: string; readonly after?: string },
): string {
  const parts = [literal(before), storedId('personId', person), ...(after === undefined ? [] : [after])];
  return parts.map((part) => `(${part})`).join(' || ');
}
