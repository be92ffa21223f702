import { z } from 'zod';
import { LISTING_OF } from '../../../control/connections/other-origins.ts';
import type { Access, IdPage, Json, Listing } from '../../vendor.ts';
import { otherPages } from '../idle-pages.ts';
import { askSite, askWhetherThere, type Parameters, PER_PAGE } from './site.ts';

const CURSOR = z.object({ page: z.number() });
const IDS = z.array(z.object({ id: z.number() }));

interface Kind {
  readonly path: string;
  readonly parameters: Parameters;
  /** Whether a row is one of its own. */
  readonly isOne: (row: Readonly<Record<string, Json>>) => boolean;
}

function idsOf(
  { path, parameters, isOne }: Kind,
  listing: Pick<Listing, 'name' | 'title' | 'stream' | 'table' | 'column'>,
): Listing {
  return {
    ...listing,
    idOf: (row) => {
      const fields = (row ?? {}) as Readonly<Record<string, Json>>;
      return typeof fields.id === 'number' && isOne(fields) ? String(fields.id) : null;
    },
    list: (access, cursor) => list(access, path, parameters, CURSOR.safeParse(cursor).data?.page ?? 1),
    missing: async (access, ids) => {
      const missing: string[] = [];
      for (const id of ids) {
        const found = await askWhetherThere(access, `${path}/${id}`, { _fields: 'id,status' }, ONE);
        // What is in the trash is not deleted yet at the vendor, and no order of the store.
        if (found === null || found.status === 'trash') missing.push(id);
      }
      return missing;
    },
  };
}

const ONE = z.object({ id: z.number(), status: z.string().optional() });

/**
 * Page by page: what moves to a page before because something is deleted meanwhile is asked for by itself.
 */
async function* list(
  access: Access,
  path: string,
  parameters: Parameters,
  begun: number,
): AsyncIterable<IdPage> {
  const met = otherPages(`WooCommerce's list of ${path}`);
  for (let page = begun; ; page += 1) {
    const rows = await askSite(
      access,
      path,
      {
        ...parameters,
        _fields: 'id',
        orderby: 'id',
        order: 'asc',
        per_page: String(PER_PAGE),
        page: String(page),
      },
      IDS,
    );
    met(rows.map(({ id }) => id));
    yield { ids: rows.map(({ id }) => String(id)), cursor: { page: page + 1 } };
    if (rows.length < PER_PAGE) return;
  }
}

export const orderIds = idsOf(
  {
    path: 'wc/v3/orders',
    parameters: { status: 'any' },
    isOne: (row) => 'line_items' in row && 'discount_total' in row,
  },
  { name: LISTING_OF.orders, title: 'orders', stream: 'orders', table: 'orders', column: 'order_id' },
);

export const customerIds = idsOf(
  {
    path: 'wc/v3/customers',
    parameters: { role: 'all' },
    isOne: (row) => 'is_paying_customer' in row,
  },
  {
    name: LISTING_OF.profiles,
    title: 'customers',
    stream: 'customers',
    table: 'profiles',
    column: 'profile_id',
  },
);
