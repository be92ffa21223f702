/** A limit such as two messages in seven days. */
interface FrequencyCap {
  readonly messages: number;
  readonly days: number;
}

interface Campaign {
  readonly channel: 'email' | 'sms';
  readonly category: string;
  readonly cap: FrequencyCap | null;
}

/** People asked for these by what they just did: they go to them without consent. */
const WITHOUT_CONSENT = ['double_opt_in', 'transactional'];

/** The people whom the messages of a campaign do not reach, whatever its query says. */
export function excludedByRules({ channel, category, cap }: Campaign): string[] {
  return [
    'Suppressed profiles: hard bounce, spam complaint, or by hand',
    ...(WITHOUT_CONSENT.includes(category)
      ? []
      : [`Profiles without consent for ${channel === 'sms' ? 'SMS' : 'e-mail'}`]),
    ...(cap === null
      ? []
      : [`Profiles that got ${cap.messages} messages in the last ${cap.days} days (frequency cap)`]),
  ];
}
