import {
  accountsOtherThanManagers,
  addManager,
  listManagers,
  removeOtherManager,
} from '../control/people/managers.ts';
import { InputError } from '../errors.ts';
import type { PlainKey } from '../messages/catalogue.ts';
import { messagesOf, type PageApp, type PageContext, type Pages, readForm } from './page-context.ts';
import { managersPage } from './pages/managers.ts';
import { type ManagedStore, refuseTooOften, requireStore } from './store-access.ts';

/**
 * Adds the page about who manages a store. Its managers name others, among the accounts to which the store is
 * assigned.
 */
export function addManagers(app: PageApp, pages: Pages): void {
  const { paths, control, log } = pages;

  app.get(paths.managers(':business_id'), async (context) => {
    const store = await requireStore(pages, context);
    if (store instanceof Response) return store;
    return show(pages, context, store, null, 200);
  });

  app.post(paths.managers(':business_id'), async (context) => {
    const store = await requireStore(pages, context);
    if (store instanceof Response) return store;
    const { account, business } = store;
    const tooOften = await refuseTooOften(pages, context, account, 'roles');
    if (tooOften !== null) return tooOften;
    const chosen = (await readForm(context)).text('account_id');
    const others = await accountsOtherThanManagers(control, business.business_id);
    // Only accounts that the page offers are accepted, so nobody learns who has an account here.
    if (!others.some(({ account_id }) => account_id === chosen))
      return show(pages, context, store, 'team.choose', 400);
    await addManager(control, chosen, business.business_id);
    log.info(
      { account: account.account_id, business: business.business_id, manager: chosen },
      'a manager was added',
    );
    return context.redirect(`${paths.managers(business.business_id)}?done=added`, 303);
  });

  app.post(paths.removeManager(':business_id'), async (context) => {
    const store = await requireStore(pages, context);
    if (store instanceof Response) return store;
    const { account, business } = store;
    const tooOften = await refuseTooOften(pages, context, account, 'roles');
    if (tooOften !== null) return tooOften;
    const chosen = (await readForm(context)).text('account_id');
    try {
      await removeOtherManager(control, chosen, business.business_id);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      return show(pages, context, store, 'team.not-removed', 400);
    }
    log.info(
      { account: account.account_id, business: business.business_id, manager: chosen },
      'a manager was removed',
    );
    const isSelf = chosen === account.account_id;
    return context.redirect(
      isSelf ? paths.stores : `${paths.managers(business.business_id)}?done=removed`,
      303,
    );
  });
}

const NOTICES: ReadonlyMap<string, PlainKey> = new Map([
  ['added', 'team.added'],
  ['removed', 'team.removed'],
]);

async function show(
  { paths, control }: Pages,
  context: PageContext,
  { account, business }: ManagedStore,
  refusal: PlainKey | null,
  status: 200 | 400,
): Promise<Response> {
  const [managers, others] = await Promise.all([
    listManagers(control, business.business_id),
    accountsOtherThanManagers(control, business.business_id),
  ]);
  const messages = messagesOf(context);
  const sayOrNull = (key: PlainKey | null | undefined) => (key ? messages.say(key) : null);
  const done = refusal === null ? NOTICES.get(context.req.query('done') ?? '') : null;
  const said = { error: sayOrNull(refusal), notice: sayOrNull(done) };
  return context.html(
    managersPage({ paths, account, business, managers, others, ...said, messages }),
    status,
  );
}
