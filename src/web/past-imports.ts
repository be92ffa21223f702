import { currentSnapshot, listSnapshots } from '../control/businesses/businesses.ts';
import { contentOf } from '../control/businesses/published-snapshot.ts';
import { InputError, OperatorError } from '../errors.ts';
import { ImportError } from '../snapshot/import-errors.ts';
import { rollBack } from '../snapshot/rollback.ts';
import { readDescription } from '../snapshot/snapshot-description.ts';
import { messagesOf, type PageApp, type PageContext, type Pages } from './page-context.ts';
import { goBackPage, type ImportView, pastImportPage } from './pages/history.ts';
import { showMessage } from './show-message.ts';
import { type ManagedStore, refuseTooOften, requireStore } from './store-access.ts';

/** Adds the page about what was imported into a store, and how to go back to it. */
export function addHistory(app: PageApp, pages: Pages): void {
  const { paths, uploadPlace, log } = pages;
  const [business, snapshot] = [':business_id', ':snapshot_id'] as const;

  app.get(paths.pastImport(business, snapshot), async (context) => {
    const found = await findImport(pages, context);
    if (found instanceof Response) return found;
    return context.html(pastImportPage({ paths, ...found, messages: messagesOf(context) }));
  });

  app.get(paths.goBack(business, snapshot), async (context) => {
    const found = await findImport(pages, context);
    if (found instanceof Response) return found;
    return context.html(goBackPage({ paths, ...found, error: null, messages: messagesOf(context) }));
  });

  app.post(paths.goBack(business, snapshot), async (context) => {
    const found = await findImport(pages, context);
    if (found instanceof Response) return found;
    const { account_id } = found.account;
    const { business_id } = found.business;
    const tooOften = await refuseTooOften(pages, context, found.account, 'imports');
    if (tooOften !== null) return tooOften;
    try {
      await rollBack(uploadPlace, business_id, found.past.snapshot_id);
    } catch (error) {
      const isKnown =
        error instanceof InputError || error instanceof ImportError || error instanceof OperatorError;
      if (!isKnown) throw error;
      const english = `Nothing was changed: ${error.message}.`.replaceAll(uploadPlace.data.root, '…');
      const messages = messagesOf(context);
      return context.html(goBackPage({ paths, ...found, error: { english }, messages }), 409);
    }
    log.info(
      { account: account_id, business: business_id, snapshot: found.past.snapshot_id },
      'an earlier import was served',
    );
    return context.redirect(`${paths.store(business_id)}?done=back`, 303);
  });
}

/**
 * The kept imports of a store, newest first. Snapshots that only have another model of the same rows count as
 * one import.
 */
export async function pastImports(
  { control, uploadPlace }: Pages,
  { business: { business_id }, isReader }: ManagedStore,
): Promise<ImportView[]> {
  const [snapshots, newest] = await Promise.all([
    listSnapshots(control, business_id),
    currentSnapshot(control, business_id),
  ]);
  const contents = [...new Set(snapshots.map(contentOf))].sort().reverse();
  return Promise.all(
    contents.flatMap((content) => {
      const same = snapshots.filter((each) => contentOf(each) === content);
      const shown = same.find(({ rebuilt_from }) => rebuilt_from === null) ?? same[0];
      if (shown === undefined) return [];
      const folder = uploadPlace.data.snapshot(business_id, shown.snapshot_id);
      const isServed = newest !== null && contentOf(newest) === content;
      return [describe(shown, isReader ? folder : null, isServed)];
    }),
  );
}

/**
 * @param folder null for an account that may not see numbers: the orders and money in it are not even read
 */
async function describe(
  {
    snapshot_id,
    created_at,
    facts,
  }: { snapshot_id: string; created_at: string; facts: { orders_until: string | null } },
  folder: string | null,
  isServed: boolean,
): Promise<ImportView> {
  // A damaged or missing snapshot is shown without its description.
  const description = folder === null ? null : await readDescription(folder).catch(() => null);
  return {
    snapshot_id,
    created_at,
    is_served: isServed,
    is_readable: folder !== null,
    orders_until: facts.orders_until,
    imported: description?.imported ?? null,
    report: description?.report ?? null,
  };
}

/** The import of the path, if it belongs to a store that the account manages. */
async function findImport(
  pages: Pages,
  context: PageContext,
): Promise<(ManagedStore & { past: ImportView }) | Response> {
  const { paths } = pages;
  const store = await requireStore(pages, context);
  if (store instanceof Response) return store;
  const imports = await pastImports(pages, store);
  const past = imports.find(({ snapshot_id }) => snapshot_id === context.req.param('snapshot_id'));
  if (past !== undefined) return { ...store, past };
  return showMessage(pages, context, { status: 404, account: store.account }, ({ say }) => ({
    title: say('version.no-such'),
    text: say('version.no-such-text'),
    whatToDo: say('version.no-such-do'),
    link: { href: paths.store(store.business.business_id), label: say('upload.the-store') },
  }));
}
