/** What a token must have to be taken. */
export const SCOPE = 'mcp';

/**
 * All that a client may ask for. With or without `offline_access`, a client that can refresh stays connected.
 */
export const SCOPES: readonly string[] = [SCOPE, 'offline_access'];
