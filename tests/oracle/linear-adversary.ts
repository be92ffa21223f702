// Who reads an answer knows sums of groups that do not overlap; what follows from them by adding and
// subtracting.

/** How often each group counts in a number. */
export type Sum = Readonly<Record<string, number>>;

export interface Known {
  readonly sum: Sum;
  readonly value: number;
}

/** The value of `secret` when the known numbers determine it, else null. */
export function derived(secret: Sum, known: readonly Known[]): number | null {
  return adversary(known, Object.keys(secret))(secret);
}

/**
 * Who has worked through what is known once, and then tells of any secret.
 *
 * @param more groups that only secrets have
 */
export function adversary(
  known: readonly Known[],
  more: readonly string[] = [],
): (secret: Sum) => number | null {
  const groups = [...new Set([...more, ...known.flatMap(({ sum }) => Object.keys(sum))])];
  const rows: { readonly row: number[]; readonly pivot: number }[] = [];
  /** Takes from the row what the rows so far explain of it. */
  const reduced = (row: number[]) => {
    for (const { row: one, pivot } of rows) {
      const factor = (row[pivot] ?? 0) / (one[pivot] ?? 1);
      if (isZero(factor)) continue;
      for (let index = 0; index < row.length; index += 1)
        row[index] = (row[index] ?? 0) - factor * (one[index] ?? 0);
    }
    return row;
  };
  const pivotOf = (row: number[]) =>
    row.findIndex((factor, index) => index < groups.length && !isZero(factor));
  for (const { sum, value } of known) {
    const row = reduced([...groups.map((group) => sum[group] ?? 0), value]);
    const pivot = pivotOf(row);
    if (pivot >= 0) rows.push({ row, pivot });
  }
  return (secret) => {
    if (Object.keys(secret).some((group) => !groups.includes(group))) return null;
    const rest = reduced([...groups.map((group) => secret[group] ?? 0), 0]);
    return pivotOf(rest) < 0 ? Math.round(-(rest.at(-1) ?? 0)) : null;
  };
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
