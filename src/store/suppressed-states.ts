/**
 * States of consent in which nothing is sent to a person: what bounced, who complained, who was blocked. In
 * either channel they suppress the person, as the condition `suppressed` of segments means it.
 */
export const SUPPRESSED_STATES = ['bounced', 'complained', 'suppressed'] as const;
