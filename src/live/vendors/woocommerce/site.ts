import { z } from 'zod';
import { withoutEnd } from '../../../text/without-end.ts';
import { type Access, VendorError } from '../../vendor.ts';
import { type Answer, ask } from '../ask-vendor.ts';

const TITLE = 'WooCommerce';

/** The most that a page of any list has. */
export const PER_PAGE = 100;

export type Parameters = Readonly<Record<string, string>>;

/** What WordPress answers instead of what was asked for. */
const REFUSED = z.object({ code: z.string().optional() });

/** @throws VendorError */
export async function askSite<Data>(
  access: Access,
  path: string,
  parameters: Parameters,
  schema: z.ZodType<Data>,
): Promise<Data> {
  const answer = await tryAsking(access, path, parameters);
  if (answer.status === 404) throw noSuchRoute();
  return read(answer, path, schema);
}

/** Asks as `askSite` does. It is null where the shop is too old to have the path. @throws VendorError */
export async function askIfThere<Data>(
  access: Access,
  path: string,
  parameters: Parameters,
  schema: z.ZodType<Data>,
): Promise<Data | null> {
  const answer = await tryAsking(access, path, parameters);
  return answer.status === 404 ? null : read(answer, path, schema);
}

/** One thing by its id; null where WooCommerce says that it has none with it. @throws VendorError */
export async function askWhetherThere<Data>(
  access: Access,
  path: string,
  parameters: Parameters,
  schema: z.ZodType<Data>,
): Promise<Data | null> {
  const answer = await tryAsking(access, path, parameters);
  if (answer.status !== 404) return read(answer, path, schema);
  const { code = '' } = REFUSED.safeParse(answer.body).data ?? {};
  if (/_invalid_id$/.test(code)) return null;
  throw noSuchRoute();
}

async function tryAsking(access: Access, path: string, parameters: Parameters): Promise<Answer> {
  const { url = '' } = access.settings;
  const address = new URL(`${withoutEnd(url, /\//)}/wp-json/${path}`);
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  const key = `${access.secret('consumerKey')}:${access.secret('consumerSecret')}`;
  return ask(access, {
    title: TITLE,
    request: () =>
      new Request(address, {
        headers: {
          authorization: `Basic ${Buffer.from(key).toString('base64')}`,
          accept: 'application/json',
        },
      }),
  });
}

function read<Data>({ status, body }: Answer, path: string, schema: z.ZodType<Data>): Data {
  const { code = '' } = REFUSED.safeParse(body).data ?? {};
  if (status === 401 || status === 403) {
    if (code === 'woocommerce_rest_cannot_view')
      throw new VendorError(
        'missing_scope',
        `WooCommerce does not let this key read ${path}: its permission must be Read, and its user a shop manager. If both are so, ` +
          'the web server does not pass the header Authorization on to WordPress: ask whoever hosts the shop',
      );
    throw new VendorError(
      'unauthorized',
      `WooCommerce does not take the key (${code || `status ${status}`}): was it revoked? Make a new one in WooCommerce, Settings, Advanced, REST API`,
    );
  }
  if (status === 400)
    throw new VendorError(
      'api_changed',
      `WooCommerce does not understand how ${path} is asked for (${code}): it needs version 5.8 or later, or Storesight an update`,
    );
  const data = schema.safeParse(body);
  if (status === 200 && data.success) return data.data;
  throw new VendorError(
    'bad_answer',
    `WooCommerce answered ${path} with status ${status}, and not as it documents: does a plugin change what it answers?`,
  );
}

function noSuchRoute(): VendorError {
  return new VendorError(
    'api_changed',
    'there is no REST API of WooCommerce at this address: is it that of the shop, with its folder? Permalinks of WordPress must not be "Plain"',
  );
}
