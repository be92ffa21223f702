import { askEveryTool } from './every-tool.ts';

/** The made shop has everything. */
askEveryTool({
  name: /Kamenice/,
  from_date: '2026-01-01T00:00:00',
  to_date: '2026-06-30T23:59:59',
});

/** Half a million lines. */
askEveryTool({
  name: /Online Retail/,
  from_date: '2011-01-01T00:00:00',
  to_date: '2011-06-30T23:59:59',
  // They ask for one thing by its id, and the real data have no campaigns and segments.
  without: /^(get_campaign|campaign_|get_segment$)/,
});
