import { z } from 'zod';
import { type Check, type MissingScope, VendorError } from '../../vendor.ts';
import { CUSTOMERS, ORDERS, PRODUCTS, type Resource, type Unread } from './resources.ts';
import { askPartly, askShop, type Shop } from './shop.ts';

const RESOURCES = [PRODUCTS, ORDERS, CUSTOMERS];

const INSTALLATION = 'installation: currentAppInstallation { accessScopes { handle } }';
const SCOPES = z.object({ accessScopes: z.array(z.object({ handle: z.string() })) });

function handlesOf({ accessScopes }: z.infer<typeof SCOPES>): Set<string> {
  return new Set(accessScopes.map(({ handle }) => handle));
}

/** An app without this scope sees orders of the last 60 days only. */
const ALL_ORDERS = 'read_all_orders';

export async function mayReadAllOrders(shop: Shop): Promise<boolean> {
  const { installation } = await askShop(shop, {
    document: `{ ${INSTALLATION} }`,
    data: z.object({ installation: SCOPES }),
  });
  return handlesOf(installation).has(ALL_ORDERS);
}

/**
 * What rows lack that are read now, or which are not read: older orders, and fields that the app may not
 * read.
 */
export async function lackedNow(shop: Shop, { root }: Resource, unread: Unread): Promise<string[]> {
  const lacksOrders = root === 'orders' && !(await mayReadAllOrders(shop));
  return lacksOrders ? [...unread, ALL_ORDERS] : [...unread];
}

/** What the app may read, and what it costs where it may not. */
export async function checkScopes(shop: Shop): Promise<Check> {
  const { shop: account, installation } = await askShop(shop, {
    document: `{ shop { id name } ${INSTALLATION} }`,
    data: z.object({ shop: z.object({ id: z.string(), name: z.string() }), installation: SCOPES }),
  });
  const scopes = handlesOf(installation);
  const missing: MissingScope[] = [];
  for (const resource of RESOURCES) {
    // A scope to write is one to read, too.
    if (!scopes.has(resource.scope) && !scopes.has(resource.scope.replace('read_', 'write_'))) {
      missing.push({ scope: resource.scope, costs: resource.costs });
      continue;
    }
    const unread = await unreadFields(shop, resource);
    for (const { name, scope, costs } of resource.optional)
      if (unread.has(name)) missing.push({ scope: `${scope} (${name})`, costs });
  }
  if (scopes.has('read_orders') && !scopes.has(ALL_ORDERS))
    missing.push({ scope: ALL_ORDERS, costs: 'only orders of the last 60 days' });
  if (
    missing.length === RESOURCES.length &&
    missing.every(({ scope }) => RESOURCES.some((one) => one.scope === scope))
  )
    throw new VendorError(
      'missing_scope',
      `the app may read none of ${RESOURCES.map(({ root }) => root).join(', ')}: give it ${RESOURCES.map(({ scope }) => scope).join(', ')}`,
    );
  return { account: account.name, accountId: account.id, missing };
}

/**
 * Says which fields the app may not read. Some are protected in addition to the scopes: apps of shops on the
 * smallest plan get no e-mail addresses. Found by asking for one of each, since no list tells; a field that
 * is denied may take others with it, so that it is asked again without.
 */
export async function unreadFields(
  shop: Shop,
  { root, scope, optional, children }: Resource,
): Promise<Unread> {
  const unread = new Set<string>();
  while (unread.size < optional.length) {
    const asked = optional.filter(({ name }) => !unread.has(name));
    const own = asked.filter(({ isOfChild }) => !isOfChild).map(({ field }) => field);
    const ofChild = asked.filter(({ isOfChild }) => isOfChild).map(({ field }) => field);
    const inside =
      ofChild.length === 0 ? '' : `${children?.name}(first: 1) { nodes { ${ofChild.join(' ')} } }`;
    const { denied } = await askPartly(shop, {
      document: `{ list: ${root}(first: 1) { nodes { id ${own.join(' ')} ${inside} } } }`,
      data: z.looseObject({}),
    });
    const found = asked.filter(({ name }) => denied.some((path) => path.includes(name)));
    if (denied.length > 0 && found.length === 0)
      throw new VendorError(
        'missing_scope',
        `Shopify does not let this app read ${root}: give it the scope ${scope} in the Dev Dashboard, and install it anew`,
      );
    if (found.length === 0) break;
    for (const { name } of found) unread.add(name);
  }
  return unread;
}
