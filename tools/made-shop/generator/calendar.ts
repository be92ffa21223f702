/**
 * Days are whole numbers (days since 1970-01-01, of the shop's calendar), moments are UTC seconds since 1970.
 * The shop's timezone is Europe/Prague; its rule is written here so that nothing depends on the machine.
 */

/** Day number of `2026-09-30`. */
export function dayOf(date: string): number {
  let day = days.get(date);
  if (day === undefined) {
    day = Date.parse(`${date}T00:00:00Z`) / 86_400_000;
    days.set(date, day);
  }
  return day;
}
const days = new Map<string, number>();

/** `2026-09-30` of a day number. */
export function dateText(day: number): string {
  let text = dateTexts.get(day);
  if (text === undefined) {
    text = new Date(day * 86_400_000).toISOString().slice(0, 10);
    dateTexts.set(day, text);
  }
  return text;
}
const dateTexts = new Map<number, string>();

/** 0 = Monday … 6 = Sunday. */
export function weekdayOf(day: number): number {
  return (day + 3) % 7;
}

/** 1–12. */
export function monthOf(day: number): number {
  return Number(dateText(day).slice(5, 7));
}

/** The moment of a local day and second of day. */
export function momentOf(day: number, secondOfDay: number): number {
  const local = day * 86_400 + secondOfDay;
  const winter = local - 3_600;
  return pragueOffset(winter) === 3_600 ? winter : local - 7_200;
}

/** The local day of a moment. */
export function localDay(moment: number): number {
  return Math.floor((moment + pragueOffset(moment)) / 86_400);
}

/** ISO 8601 with the local offset: `2026-09-30T18:04:09+02:00`. */
export function momentText(moment: number): string {
  const offset = pragueOffset(moment);
  const local = moment + offset;
  const day = Math.floor(local / 86_400);
  const second = local - day * 86_400;
  const hours = twoDigits(Math.floor(second / 3_600));
  const minutes = twoDigits(Math.floor(second / 60) % 60);
  return `${dateText(day)}T${hours}:${minutes}:${twoDigits(second % 60)}+0${offset / 3_600}:00`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/** Seconds east of UTC: summer time from the last Sunday of March to that of October, both at 01:00 UTC. */
function pragueOffset(moment: number): number {
  const year = dateText(Math.floor(moment / 86_400)).slice(0, 4);
  let summer = summers.get(year);
  if (summer === undefined) {
    summer = [lastSunday(`${year}-03-31`) * 86_400 + 3_600, lastSunday(`${year}-10-31`) * 86_400 + 3_600];
    summers.set(year, summer);
  }
  return moment >= summer[0] && moment < summer[1] ? 7_200 : 3_600;
}
const summers = new Map<string, [number, number]>();

function lastSunday(lastDateOfMonth: string): number {
  const day = dayOf(lastDateOfMonth);
  return day - ((weekdayOf(day) + 1) % 7);
}
