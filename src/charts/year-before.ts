const DAY = 86_400_000;

/**
 * The same question about the year before, for days and weeks with the same weekdays. Null: the question has
 * no range.
 */
export function yearBefore(args: {
  readonly from_date: string;
  readonly to_date: string;
}): Record<string, unknown>;
export function yearBefore(args: Readonly<Record<string, unknown>>): Record<string, unknown> | null;
export function yearBefore(args: Readonly<Record<string, unknown>>): Record<string, unknown> | null {
  const { from_date, to_date, breakdown } = args;
  if (typeof from_date !== 'string' || typeof to_date !== 'string') return null;
  const before = (date: string) => {
    const [day, rest] = [date.slice(0, 10), date.slice(10)];
    const time = Date.parse(day);
    if (Number.isNaN(time)) return date;
    if (breakdown !== 'month') return new Date(time - 364 * DAY).toISOString().slice(0, 10) + rest;
    const [year = 0, month = 1, ofMonth = 1] = day.split('-').map(Number);
    const last = new Date(Date.UTC(year - 1, month, 0)).getUTCDate();
    return new Date(Date.UTC(year - 1, month - 1, Math.min(ofMonth, last))).toISOString().slice(0, 10) + rest;
  };
  const { forecast_periods: _none, ...asked } = args;
  return { ...asked, from_date: before(from_date), to_date: before(to_date) };
}
