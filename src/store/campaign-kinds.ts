export const CAMPAIGN_TYPES = [
  'targeted-emailing',
  'targeted-emailing-ab',
  'incremental-emailing',
  'targeted-sms',
  'incremental-sms',
  'popup',
] as const;

export const CAMPAIGN_CHANNELS = ['email', 'sms', 'popup'] as const;

export const CAMPAIGN_STATES = [
  'draft',
  'scheduled',
  'active',
  'paused',
  'sent',
  'finished',
  'canceled',
  'terminated',
  'archived',
  'deleted',
] as const;
