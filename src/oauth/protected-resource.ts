/**
 * Whether a client that names this resource means ours. People and clients write its URL with and without a
 * slash at the end, with capitals in the host, and with the groups of tools that they chose: all of these are
 * the one resource.
 *
 * @param asked from a request
 * @param resource the MCP URL
 */
export function isResource(asked: string, resource: string): boolean {
  // RFC 8707 (2): a resource has no fragment.
  const url = asked.includes('#') ? null : URL.parse(asked);
  if (url === null || url.username !== '' || url.password !== '') return false;
  return `${url.origin}${url.pathname}`.replace(/\/$/, '') === resource;
}

/** What a client is told that names another resource. */
export function otherResource(resource: string): string {
  return `the resource here is ${resource}`;
}
