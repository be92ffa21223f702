import { dateText, localDay } from './calendar.ts';
import { moneyText } from './money.ts';
import type { Session } from './sessions.ts';
import type { AdCostRow } from './tables.ts';
import type { Source } from './traffic-sources.ts';
import type { World } from './world.ts';

/** What the clicks cost that brought the sessions: one row per day, source, medium and campaign. */
export function makeAdCosts(world: World, sessions: readonly Session[]): AdCostRow[] {
  const stream = world.stream('ad costs');
  const rows: AdCostRow[] = [];
  for (const [day, ofDay] of sessionsBroughtByDay(sessions)) {
    for (const [{ source, medium, campaign, cost_per_click, click_rate }, brought] of ofDay) {
      // The advertising system counts the clicks of those who refuse cookies too, and of those who leave
      // before the page is there.
      const clicks = Math.round(brought * (1.3 + 0.2 * stream.next()));
      rows.push({
        day: dateText(day),
        source: source ?? '',
        medium: medium ?? '',
        campaign,
        cost: moneyText(Math.round(clicks * (cost_per_click ?? 0) * (0.85 + 0.3 * stream.next()))),
        clicks,
        impressions: Math.round((clicks / click_rate) * (0.8 + 0.4 * stream.next())),
      });
    }
  }
  return rows;
}

/** Numbers of sessions by day and paid source, in order of time. */
function sessionsBroughtByDay(sessions: readonly Session[]): Map<number, Map<Source, number>> {
  const days = new Map<number, Map<Source, number>>();
  for (const { at, source } of sessions) {
    if (source.cost_per_click === null) continue;
    const day = localDay(at);
    const ofDay = days.get(day) ?? new Map<Source, number>();
    ofDay.set(source, (ofDay.get(source) ?? 0) + 1);
    days.set(day, ofDay);
  }
  return days;
}
