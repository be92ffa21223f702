// Who reads an answer knows sums of groups that do not overlap; what follows from them by adding and subtracting.

/** How often each group counts in a number. */
export type Sum = Readonly<Record<string, number>>;

export interface Known {
  readonly sum: Sum;
  readonly value: number;
}

/** The value of `secret` when the known numbers determine it, else null. */
export function derived(secret: Sum, known: readonly Known[]): number | null {
  const groups = [...new Set([secret, ...known.map(({ sum }) => sum)].flatMap(Object.keys))];
  const rows: number[][] = [];
  /** Takes from the row what the rows so far explain of it. */
  const reduced = (row: number[]) => {
    let rest = row;
    for (const one of rows) {
      const pivot = one.findIndex((factor, index) => index < groups.length && !isZero(factor));
      const factor = (rest[pivot] ?? 0) / (one[pivot] ?? 1);
      rest = rest.map((value, index) => value - factor * (one[index] ?? 0));
    }
    return rest;
  };
  const explains = (row: number[]) => row.slice(0, groups.length).every(isZero);
  for (const { sum, value } of known) {
    const row = reduced([...groups.map((group) => sum[group] ?? 0), value]);
    if (!explains(row)) rows.push(row);
  }
  const rest = reduced([...groups.map((group) => secret[group] ?? 0), 0]);
  return explains(rest) ? Math.round(-(rest.at(-1) ?? 0)) : null;
}

const isZero = (value: number) => Math.abs(value) < 1e-9;

export function minus(one: Sum, ...others: Sum[]): Sum {
  const rest: Record<string, number> = { ...one };
  for (const other of others) {
    for (const [group, times] of Object.entries(other)) rest[group] = (rest[group] ?? 0) - times;
  }
  return rest;
}

export function plus(...sums: Sum[]): Sum {
  return minus({}, ...sums.map((sum) => minus({}, sum)));
}
