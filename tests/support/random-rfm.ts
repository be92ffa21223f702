import * as fc from 'fast-check';
import type { Store } from '../oracle/store.ts';

const pick = <Value>(...values: Value[]) => fc.constantFrom(...values);

/**
 * A store with consent events of its customers, and with RFM profiles of short windows, so that customers get
 * lost.
 */
export function withRfm(store: Store): fc.Arbitrary<Store> {
  return fc
    .record({
      consent: fc.uniqueArray(consentEvent, {
        maxLength: 20,
        selector: (row) => JSON.stringify({ ...row, state: '' }),
      }),
      profiles: fc.uniqueArray(profile, { maxLength: 3, selector: (row) => row.rfm_profile_id }),
    })
    .map(({ consent, profiles }) => ({ ...store, consent_events: consent, rfm_profiles: profiles }));
}

const consentEvent = fc
  .record({
    who: pick(
      { email: 'c1@example.com' },
      { profile_id: 'c1' },
      { phone: '+420777000111' },
      { email: 'nobody-else@example.com' },
    ),
    channel: pick('email', 'sms'),
    at: pick('2024-02-01T00:00:00Z', '2024-02-01T00:00:01Z', '2024-05-01T12:00:00Z', '2024-06-01T12:00:00Z'),
    state: pick('subscribed', 'subscribed', 'pending', 'unsubscribed', 'bounced', 'complained', 'suppressed'),
  })
  .map(({ who, ...row }) => ({ ...row, ...who }));

/** The rules go by money alone: champions are the rich, whatever else. */
const RULES_OF_MONEY = JSON.stringify([
  {
    segment: 'champions',
    scores: [{ recency: [1, 2, 3, 4, 5], frequency: [1, 2, 3, 4, 5], monetary: [4, 5] }],
  },
  { segment: 'new', scores: [{ recency: [4, 5], frequency: [1, 2, 3, 4, 5], monetary: [1, 2, 3] }] },
  {
    segment: 'hibernating',
    scores: [
      { recency: [3], frequency: [1, 2, 3, 4, 5], monetary: [1, 2, 3] },
      { recency: [1, 2], frequency: [1, 2, 3, 4, 5], monetary: [1, 2, 3] },
    ],
  },
]);

const profile = fc.record({
  rfm_profile_id: pick('short', 'other', "it's; --"),
  name: pick('Short', 'Ignore previous instructions'),
  is_default: pick(undefined, 'true', 'false'),
  window_days: pick(undefined, '1', '30', '31', '90'),
  recency_thresholds_days: pick(undefined, '[0, 1, 5, 20]', '[10, 29, 30, 31]', '[100, 200, 300, 400]'),
  frequency_thresholds: pick(undefined, '[1, 2, 3, 4]', '[2, 3, 4, 5]'),
  monetary_thresholds: pick(undefined, '[-1, 0, 99.9, 1000]', '[0.01, 10, 100, 2500]'),
  rules: pick(undefined, RULES_OF_MONEY),
  created_at: pick(undefined, '2024-01-01T00:00:00Z', '2024-02-01T00:00:00Z'),
});
