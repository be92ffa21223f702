import { oneOf } from '../../answers/arguments.ts';
import { choice } from '../../answers/fields/kinds-of-fields.ts';
import { CONSENT_CHANNELS } from './queries/consents.ts';

/** What the tools about subscribers share. */

export const channelArgument = {
  channel: oneOf('channel', CONSENT_CHANNELS).default('email'),
};

export const channelField = choice('channel', CONSENT_CHANNELS, 'Whose subscribers, as asked.');
