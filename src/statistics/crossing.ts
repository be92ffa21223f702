/**
 * The value between two others at which a condition, false of the first and true of the second, becomes true:
 * to the last digit.
 */
export function crossing(isBeyond: (value: number) => boolean, from: number, to: number): number {
  let [before, after] = [from, to];
  for (let step = 0; step < 60; step += 1) {
    const middle = (before + after) / 2;
    if (isBeyond(middle)) after = middle;
    else before = middle;
  }
  return (before + after) / 2;
}
