/** The later of two local days, `YYYY-MM-DD`. */
export function laterDay(one: string, other: string): string {
  // Dates of four-digit years: the order of texts is that of time.
  return one > other ? one : other;
}

/** The earlier of two local days, `YYYY-MM-DD`. */
export function earlierDay(one: string, other: string): string {
  return one < other ? one : other;
}
