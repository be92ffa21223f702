/** The change in percent, or in points where the values are percentages. */
export function changeOf(
  value: number | null,
  before: number | null,
  unit: string | undefined,
): number | null {
  if (value === null || before === null) return null;
  if (unit === 'percent') return value - before;
  return before === 0 ? null : (100 * (value - before)) / Math.abs(before);
}
