import { field } from '../model/fields/field.ts';
import { CONSENT_CHANNELS } from '../model/subscribers/consents.ts';
import { oneOf } from './arguments.ts';

/** What the tools about subscribers share. */

export const channelArgument = {
  channel: oneOf('channel', CONSENT_CHANNELS).default('email').describe('Whose subscribers.'),
};

export const channelField = field({
  key: 'channel',
  type: 'choice',
  values: CONSENT_CHANNELS,
  definition: 'Whose subscribers, as asked.',
});
