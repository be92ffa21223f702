/** Links that open an app on the same computer. It shows what it would add to its settings, and asks. */

/** @param mcpUrl the full URL of the MCP endpoint; it is in the link, and the link holds no secret */
export function vsCodeLink(mcpUrl: string): string {
  return `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'storesight', type: 'http', url: mcpUrl }))}`;
}

/** @param mcpUrl as for `vsCodeLink` */
export function cursorLink(mcpUrl: string): string {
  const config = Buffer.from(JSON.stringify({ url: mcpUrl })).toString('base64');
  return `cursor://anysphere.cursor-deeplink/mcp/install?${new URLSearchParams({ name: 'storesight', config })}`;
}
