/** Names as a sentence has them: `a`, `a and b`, `a, b and c`. */
export function enumerated(names: readonly string[]): string {
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ');
}
