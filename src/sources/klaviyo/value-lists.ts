/** SQL: whether an event is of one of the metrics. */
export function isOneOf(metrics: readonly string[]): string {
  return `metric in (${metrics.map((metric) => `'${metric}'`).join(', ')})`;
}

export function whenThen(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([from, to]) => `when '${from}' then '${to}'`)
    .join(' ');
}
