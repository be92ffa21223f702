import { oneOf } from '../../answers/arguments.ts';
import { field } from '../../answers/fields/field.ts';
import { CONSENT_CHANNELS } from './queries/consents.ts';

/** What the tools about subscribers share. */

export const channelArgument = {
  channel: oneOf('channel', CONSENT_CHANNELS).default('email'),
};

export const channelField = field({
  key: 'channel',
  type: 'choice',
  values: CONSENT_CHANNELS,
  definition: 'Whose subscribers, as asked.',
});
