import { dayOf } from './calendar.ts';
import { plantedTraffic } from './planted-traffic.ts';
import type { RandomStream } from './random-stream.ts';
import { direct, ghostReferral } from './traffic-sources.ts';
import { startVisit, type Visit } from './visit.ts';
import type { World } from './world.ts';

/** Visits that the shop's tracking takes for machines: a few on any day, crowds on some. */
export function makeBots(world: World): Visit[] {
  const stream = world.stream('bots');
  const days = [
    ...Array.from({ length: world.scaled(1_500) }, () => stream.int(world.firstDay, world.lastDay)),
    ...plantedTraffic.botDays.flatMap((date, index) =>
      Array.from({ length: world.scaled(index === 0 ? 900 : 350) }, () => dayOf(date)),
    ),
  ];
  return days.map((day) => makeBot(world, stream, day));
}

/** Either many pages within seconds each, or one page without anybody before the screen. */
function makeBot(world: World, stream: RandomStream, day: number): Visit {
  const visitor = {
    browser: { visitor_id: `v${stream.hex(15)}`, device: 'desktop' as const, next: null },
    customer: null,
    country: stream.pick(['US', 'US', 'IE', 'SG', 'NL', 'CN']),
  };
  const source = stream.chance(0.3) ? ghostReferral : direct;
  const visit = startVisit(visitor, source, day, world.rhythm.drawMoment(stream, day));
  const other_pages = stream.chance(0.4) ? stream.int(110, 400) : 1;
  return { ...visit, device: 'other', end: visit.at + Math.floor(other_pages / 2), other_pages, isBot: true };
}
