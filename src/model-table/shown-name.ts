/** What stands where there is no name: of products without brand, without category, and the like. */
export const NOT_SET = '(not set)';

/**
 * SQL of a name as answers show it and arguments take it; `(not set)` where it is null. A name that looks
 * like one of ours gets quotation marks, and so does one that already has them, so that no two names become
 * one.
 *
 * @param others further names of ours in the same column
 */
export function shownName(name: string, others: readonly string[] = []): string {
  const ours = [NOT_SET, ...others].map((one) => `'${one}'`).join(', ');
  return `case when ${name} is null then '${NOT_SET}'
    when trim(${name}, '"') in (${ours}) then '"' || ${name} || '"' else ${name} end`;
}
