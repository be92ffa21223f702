/**
 * A count with what is said of it, in the right number: `1 order is`, `2 orders are`. Every sentence that
 * counts things is made by it.
 *
 * @param shown how the number is written
 */
export function plural(count: number, one: string, many: string, shown = String(count)): string {
  return `${shown} ${count === 1 ? one : many}`;
}
