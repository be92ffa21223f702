/**
 * What a link is by its URL, where nothing else says it: the first that matches its lower case, else `other`.
 */
export const LINK_TYPES = {
  unsubscribe: 'unsubscri|opt-?out|odhlas',
  preferences: 'preference|manage-?subscription',
  view_online: 'view-?(in-?browser|online)|webversion|web-version',
  social:
    '^[a-z]+://([^/?#@]*@)?([^/?#:]*[.])?(facebook|instagram|x|twitter|youtube|tiktok|linkedin|pinterest)[.]com([/?#:]|$)',
} as const;

/** Links about the recipient, not about the content of a message: no number counts a click on one. */
export const NO_CONTENT = ['unsubscribe', 'preferences', 'view_online'];

const PATTERNS = Object.entries(LINK_TYPES).map(([type, pattern]) => [type, new RegExp(pattern)] as const);

export function linkType(url: string): string {
  return PATTERNS.find(([, pattern]) => pattern.test(url.toLowerCase()))?.[0] ?? 'other';
}
