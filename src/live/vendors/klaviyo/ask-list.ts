import { z } from 'zod';
import { type Access, type Json, VendorError } from '../../vendor.ts';
import { ask } from '../ask-vendor.ts';

/**
 * The version that is asked for, which Klaviyo keeps for two years; how to change it: docs/live/klaviyo.md.
 */
export const REVISION = '2026-07-15';

export type Parameters = Readonly<Record<string, string>>;

/** A resource as JSON:API has it. */
export type Resource = { readonly type: string; readonly id: string } & {
  readonly [name: string]: Json | undefined;
};

const RESOURCE = z.looseObject({ type: z.string(), id: z.string() }) as unknown as z.ZodType<Resource>;

const LIST = z.object({
  data: z.array(RESOURCE),
  included: z.array(RESOURCE).optional(),
  links: z.object({ next: z.string().nullish() }).optional(),
});

const ERRORS = z.object({
  errors: z.array(z.object({ code: z.string().optional(), detail: z.string().optional() })),
});

export interface List {
  readonly data: readonly Resource[];
  readonly included: readonly Resource[];
  /** The cursor of the next page. It is null where this is the last page. */
  readonly after: string | null;
}

/** @throws VendorError */
export async function askList(access: Access, path: string, parameters: Parameters): Promise<List> {
  const host = access.settings.host ?? 'a.klaviyo.com';
  const url = new URL(`${host.startsWith('127.0.0.1') ? 'http' : 'https'}://${host}/api/${path}`);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const { status, body } = await ask(access, {
    title: 'Klaviyo',
    request: () =>
      new Request(url, {
        headers: {
          authorization: `Klaviyo-API-Key ${access.secret('privateKey')}`,
          revision: REVISION,
          accept: 'application/vnd.api+json',
        },
      }),
  });
  if (status !== 200) throw refusal(status, body, path);
  const read = LIST.safeParse(body);
  if (!read.success)
    throw new VendorError(
      'bad_answer',
      `Klaviyo answered ${path}, and not as it documents: update Storesight`,
    );
  const { data, included = [], links } = read.data;
  // The place alone: the address is ours, wherever the answer points.
  const after = links?.next == null ? null : URL.parse(links.next)?.searchParams.get('page[cursor]');
  if (after === undefined || (after === null && links?.next != null))
    throw new VendorError(
      'bad_answer',
      `Klaviyo has more of ${path}, and does not say where: try again later, and update Storesight if that does not help`,
    );
  return { data, included, after };
}

function refusal(status: number, body: unknown, path: string): VendorError {
  const { code, detail } = ERRORS.safeParse(body).data?.errors[0] ?? {};
  if (status === 401)
    return new VendorError(
      'unauthorized',
      'Klaviyo does not take the private key: was it deleted? Make a new one in Klaviyo, Settings, API keys',
    );
  if (status === 403)
    return new VendorError(
      'missing_scope',
      `Klaviyo does not let this key read ${path}: its scopes cannot be changed, so make a new one with read access to it`,
    );
  return new VendorError(
    'api_changed',
    `Klaviyo does not understand how ${path} is asked for (status ${status}, ${code ?? 'no code'}: ${detail ?? ''}): update Storesight`,
  );
}
