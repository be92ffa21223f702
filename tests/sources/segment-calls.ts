/** 5 March 2026, 10:00 UTC. */
const TEN = Date.UTC(2026, 2, 5, 10);

export type Call = Readonly<Record<string, unknown>>;

export const momentAt = (seconds: number) => new Date(TEN + seconds * 1000).toISOString();

const AGENT = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/113 Safari/537.36';

/** What a browser sends of itself. */
export const pageOf = (path: string, fields: object = {}) => ({
  ip: '8.8.8.8',
  userAgent: AGENT,
  page: { url: `https://shop.example${path}`, path: path.replace(/\?.*/, ''), referrer: '', title: 'Shop' },
  ...fields,
});

/** A call of a browser, some seconds after ten. */
export function call(type: string, seconds: number, fields: Readonly<Record<string, unknown>> = {}): Call {
  return {
    ...{ type, messageId: `ajs-${type}-${seconds}-${JSON.stringify(fields).length}`, anonymousId: 'anna-1' },
    ...{ timestamp: momentAt(seconds), context: pageOf('/') },
    ...fields,
  };
}

export const track = (event: string, seconds: number, properties: object, fields: Call = {}) =>
  call('track', seconds, { event, properties, ...fields });

export const ndjson = (calls: readonly Call[]) => calls.map((one) => `${JSON.stringify(one)}\n`).join('');
