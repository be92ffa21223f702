/** At most so many messages in so many days. */
interface FrequencyCap {
  readonly messages: number;
  readonly days: number;
}

/** Whom a message does not go to, whatever the query of its campaign says. */
export function excludedByRules(channel: 'email' | 'sms', cap: FrequencyCap | null): string[] {
  return [
    'Suppressed profiles: hard bounce, spam complaint, or by hand',
    `Profiles without consent for ${channel === 'sms' ? 'SMS' : 'e-mail'}`,
    ...(cap === null
      ? []
      : [`Profiles that got ${cap.messages} messages in the last ${cap.days} days (frequency cap)`]),
  ];
}
