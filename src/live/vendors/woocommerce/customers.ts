import { z } from 'zod';
import { isWithin } from '../../../control/database/clock-tolerance.ts';
import type { Access, Json, Page, Stream } from '../../vendor.ts';
import { otherPages } from '../idle-pages.ts';
import { askSite, PER_PAGE } from './site.ts';

/** WooCommerce cannot say which customers changed: all of them, once a day. */
const EVERY = 24 * 3600_000;

const CURSOR = z.object({ begun: z.string().nullable(), ended: z.string().nullable(), page: z.number() });

const CUSTOMERS = z.array(z.looseObject({ id: z.number() }));

export const customers: Stream = {
  name: 'customers',
  landsAs: 'woocommerce-json',
  read,
};

async function* read(access: Access, cursor: Json): AsyncIterable<Page> {
  const before = CURSOR.safeParse(cursor).data ?? { begun: null, ended: null, page: 1 };
  const now = access.now();
  if (before.begun === null && before.ended !== null && isWithin(before.ended, now.toISOString(), EVERY))
    return;
  const begun = before.begun ?? now.toISOString();
  const met = otherPages("WooCommerce's list of customers");
  for (let page = before.page; ; page += 1) {
    const parameters = {
      per_page: String(PER_PAGE),
      page: String(page),
      orderby: 'id',
      order: 'asc',
      role: 'all',
    };
    const rows = await askSite(access, 'wc/v3/customers', parameters, CUSTOMERS);
    met(rows.map(({ id }) => id));
    const isEnd = rows.length < PER_PAGE;
    yield {
      rows: rows as Json[],
      cursor: isEnd ? { begun: null, ended: begun, page: 1 } : { begun, ended: before.ended, page: page + 1 },
    };
    if (isEnd) return;
  }
}
