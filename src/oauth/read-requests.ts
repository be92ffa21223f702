import { isResource } from './protected-resource.ts';
import { SCOPE, SCOPES } from './scopes.ts';

/**
 * The parameters of OpenID Connect, whose scope nobody is granted. Without it they mean nothing, and
 * oidc-provider refuses them.
 */
const OF_OPENID = ['acr_values', 'claims', 'claims_locales', 'id_token_hint', 'max_age', 'nonce'];
/**
 * What an app may ask of the sign-in page. Others, such as `select_account`, are wishes that the page fulfils
 * anyway.
 */
const PROMPTS = ['none', 'login', 'consent'];

/**
 * A request for authorization, with only the scopes that exist: a client that names none gets all of them,
 * and others, such as `openid`, are left out, as RFC 6749 (3.3) allows. A parameter that is given twice
 * stays, to be refused. So does a resource that is not ours; ours is spelled in one way.
 */
export function readAuthorization(asked: URLSearchParams, resource: string): URLSearchParams {
  const read = new URLSearchParams(asked);
  const [scope = '', ...otherScopes] = asked.getAll('scope');
  if (otherScopes.length === 0) {
    const names = scope.split(' ');
    read.set('scope', SCOPES.filter((name) => name === SCOPE || names.includes(name)).join(' '));
  }
  for (const name of OF_OPENID) read.delete(name);
  const [prompt, ...otherPrompts] = asked.getAll('prompt');
  if (prompt !== undefined && otherPrompts.length === 0) {
    const prompts = prompt.split(' ').filter((name) => PROMPTS.includes(name));
    if (prompts.length === 0) read.delete('prompt');
    else read.set('prompt', prompts.join(' '));
  }
  if (namesOnlyOurs(asked, resource)) read.set('resource', resource);
  // TRICKY: oidc-provider has more modes and no switch for them; what it does not know it refuses, by the
  // query.
  const [mode, ...modes] = asked.getAll('response_mode');
  if (mode !== undefined && mode !== 'query' && modes.length === 0) read.set('response_mode', 'none');
  return read;
}

/**
 * A request for tokens. What it may name of scopes and of the resource says no more than what was granted:
 * there is one scope that a token can have, and one resource. So both are left out, and oidc-provider gives
 * what was granted.
 *
 * @returns null when it names a resource that is not ours, which is refused before its code or token is used
 *   up
 */
export function readTokenRequest(asked: URLSearchParams, resource: string): URLSearchParams | null {
  if (asked.has('resource') && !namesOnlyOurs(asked, resource)) return null;
  const read = new URLSearchParams(asked);
  read.delete('resource');
  // A parameter that is given twice is refused (RFC 6749, 3.2).
  if (asked.getAll('scope').length === 1) read.delete('scope');
  return read;
}

function namesOnlyOurs(asked: URLSearchParams, resource: string): boolean {
  const named = asked.getAll('resource');
  return named.length > 0 && named.every((one) => isResource(one, resource));
}
