/** Code point order of texts (JavaScript's own < compares UTF-16 units, which differs for emoji). */
export function compareText(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, 'utf8'), Buffer.from(b, 'utf8'));
}
