import { isJsonContentType, readRequestBody } from '@modelcontextprotocol/server';

/**
 * The JSON of a request, undefined for one that cannot have any; or the response that refuses it.
 *
 * @param maxBytes more are not read
 */
export async function readJson(request: Request, maxBytes: number): Promise<{ json: unknown } | Response> {
  if (request.method !== 'POST' || !isJsonContentType(request.headers.get('content-type'))) {
    return { json: undefined };
  }
  const body = await readRequestBody(request, maxBytes).catch(() => null);
  if (body === null) return refusal(400, -32700, 'the request ended before its body did');
  if (body.tooLarge) return refusal(413, -32000, `the request is larger than ${maxBytes} bytes`);
  try {
    return { json: JSON.parse(body.text) };
  } catch {
    return refusal(400, -32700, 'Parse error: the request body is not valid JSON');
  }
}

export function refusal(
  status: number,
  code: number,
  message: string,
  headers: Record<string, string> = {},
): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status, headers });
}
