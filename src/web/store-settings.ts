import { Temporal } from 'temporal-polyfill';
import { ASSUMPTION_KINDS, type AssumptionKind } from '../business/assumptions.ts';
import type { Business } from '../business/business.ts';
import {
  AssumptionError,
  type AssumptionRefusal,
  addAssumption,
  listAssumptions,
  removeAssumption,
} from '../control/businesses/assumptions.ts';
import { describeBusiness, readCurrency, readTimezone } from '../control/businesses/businesses.ts';
import { createUpload, openUploads, readUpload, type StoreChange } from '../control/businesses/uploads.ts';
import { parseVatRate, readVatRate } from '../control/businesses/vat-rate.ts';
import { InputError, OperatorError } from '../errors.ts';
import type { PlainKey } from '../messages/catalogue.ts';
import type { Messages } from '../messages/messages.ts';
import { deleteBusiness } from '../snapshot/delete-business.ts';
import { ImportError } from '../snapshot/import-errors.ts';
import { discardUpload } from '../uploads/upload-folder.ts';
import {
  type Form,
  messagesOf,
  type PageApp,
  type PageContext,
  type Pages,
  readForm,
} from './page-context.ts';
import {
  costInWords,
  deleteStorePage,
  storeSettingsPage,
  type TypedCost,
  type TypedSettings,
} from './pages/store-settings.ts';
import { type ManagedStore, refuseTooOften, requireStore } from './store-access.ts';
import { NOT_BEGUN } from './uploads.ts';

/** Adds the pages about a store's settings, its costs, and its deletion. */
export function addStoreSettings(app: PageApp, pages: Pages): void {
  addSettings(app, pages);
  addCosts(app, pages);
  addDeletion(app, pages);
}

const business = ':business_id';

function addSettings(app: PageApp, pages: Pages): void {
  const { paths } = pages;

  app.get(paths.settings(business), async (context) => {
    const store = await requireStore(pages, context);
    if (store instanceof Response) return store;
    return show(pages, context, store, {});
  });

  app.post(paths.settings(business), async (context) => {
    const store = await requireStore(pages, context);
    if (store instanceof Response) return store;
    const tooOften = await refuseTooOften(pages, context, store.account, 'imports');
    if (tooOften !== null) return tooOften;
    const typed = readTyped(await readForm(context));
    const read = readChange(typed, messagesOf(context));
    if ('error' in read) return show(pages, context, store, { typed, error: read.error });
    return save(pages, context, store, typed, read.change);
  });
}

async function save(
  pages: Pages,
  context: PageContext,
  store: ManagedStore,
  typed: TypedSettings,
  asked: StoreChange,
): Promise<Response> {
  const { paths, control, log } = pages;
  const { account, business } = store;
  const { business_id } = business;
  const change = onlyNew(asked, { ...business, vat_rate: await readVatRate(control, business_id) });
  try {
    await describeBusiness(control, business_id, { name: typed.name, link: typed.link || undefined });
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return show(pages, context, store, { typed, error: messagesOf(context).say('settings.bad-name') });
  }
  const settings = Object.keys(change);
  log.info(
    { account: account.account_id, business: business_id, settings },
    'settings of a store were changed',
  );
  if (settings.length === 0) return context.redirect(`${paths.settings(business_id)}?done=saved`, 303);
  const begun = await begin(pages, store, change, messagesOf(context));
  if (!begun.isBegun) return show(pages, context, store, { typed, error: begun.why, status: 503 });
  return context.redirect(paths.upload(business_id, begun.upload_id), 303);
}

/**
 * Begins work in the queue of imports: the data are built anew in a process of its own, and a page shows how
 * far it is.
 */
async function begin(
  { control, imports, uploadPlace }: Pages,
  { account, business }: ManagedStore,
  store: StoreChange,
  { say }: Messages,
): Promise<
  { readonly isBegun: true; readonly upload_id: string } | { readonly isBegun: false; readonly why: string }
> {
  for (const { upload_id, work, state } of await openUploads(control, business.business_id))
    if (work === 'settings' && state === 'open') await discardUpload(uploadPlace, upload_id);
  const upload_id = await createUpload(control, { ...account, ...business });
  const upload = await readUpload(control, upload_id);
  const answers = { settings: {}, max_rejects: '0', store };
  const begun =
    upload === null ? 'busy' : await imports.begin(upload, { work: 'settings', answers, builds_on: null });
  if (begun === 'begun') return { isBegun: true, upload_id };
  await discardUpload(uploadPlace, upload_id);
  return {
    isBegun: false,
    why: `${say(NOT_BEGUN[begun])} ${say('settings.partly-saved')}`,
  };
}

function onlyNew(asked: StoreChange, now: StoreChange): StoreChange {
  const names = Object.keys(asked) as (keyof StoreChange)[];
  // A store without a time zone is read as UTC.
  const isSame = (name: keyof StoreChange) =>
    asked[name] === now[name] || (name === 'timezone' && asked.timezone === 'UTC' && now.timezone === null);
  return Object.fromEntries(names.filter((name) => !isSame(name)).map((name) => [name, asked[name]]));
}

function readTyped(form: Form): TypedSettings {
  const text = (name: string) => form.text(name).trim();
  return {
    name: text('name'),
    link: text('link'),
    timezone: text('timezone'),
    currency: text('currency'),
    vat_rate: text('vat_rate'),
  };
}

/** Reads a change with the checks of `business update`, and words its errors for a page. */
function readChange(
  { timezone, currency, vat_rate }: TypedSettings,
  { say }: Messages,
): { readonly change: StoreChange } | { readonly error: string } {
  const read = <Value>(work: () => Value): Value | InputError => {
    try {
      return work();
    } catch (error) {
      if (error instanceof InputError) return error;
      throw error;
    }
  };
  const zone = read(() => readTimezone(timezone));
  if (zone instanceof InputError || zone === null) return { error: say('settings.bad-timezone') };
  const money = read(() => readCurrency(currency === '' ? undefined : currency));
  if (money instanceof InputError) return { error: say('settings.bad-currency') };
  const vat = read(() => (vat_rate === '' ? null : parseVatRate(vat_rate.replace(',', '.'))));
  if (vat instanceof InputError) return { error: say('settings.bad-vat', { text: vat_rate.slice(0, 60) }) };
  // A currency cannot be removed again: amounts would be without one.
  return { change: { timezone: zone, ...(money !== null && { primary_currency: money }), vat_rate: vat } };
}

function addCosts(app: PageApp, pages: Pages): void {
  const { paths, control, log } = pages;

  app.post(paths.addCost(business), async (context) => {
    const store = await requireStore(pages, context);
    if (store instanceof Response) return store;
    const tooOften = await refuseTooOften(pages, context, store.account, 'roles');
    if (tooOften !== null) return tooOften;
    const typedCost = readTypedCost(await readForm(context));
    const messages = messagesOf(context);
    if (typedCost === null) return show(pages, context, store, { error: messages.say('costs.choose') });
    const { percent, amount, per, payment_method, shipping_method, country, ...others } = typedCost;
    const given = (text: string) => (text === '' ? undefined : text);
    try {
      const added = await addAssumption(control, store.business, {
        ...others,
        percent: given(percent.replace(',', '.')),
        amount: given(amount.replace(',', '.')),
        per: given(per),
        paymentMethod: given(payment_method),
        shippingMethod: given(shipping_method),
        country: given(country),
      });
      const { account_id } = store.account;
      const { business_id } = store.business;
      log.info({ account: account_id, business: business_id, cost: added.kind }, 'a cost was added');
      return context.redirect(`${paths.settings(business_id)}?done=added`, 303);
    } catch (error) {
      if (!(error instanceof AssumptionError)) throw error;
      return show(pages, context, store, {
        typedCost,
        error: refusedCost(error.refusal, typedCost, messages),
      });
    }
  });

  app.post(paths.removeCost(business), async (context) => {
    const store = await requireStore(pages, context);
    if (store instanceof Response) return store;
    const tooOften = await refuseTooOften(pages, context, store.account, 'roles');
    if (tooOften !== null) return tooOften;
    const { business_id } = store.business;
    try {
      await removeAssumption(control, business_id, (await readForm(context)).text('assumption_id'));
    } catch (error) {
      // Somebody else has removed it.
      if (!(error instanceof InputError)) throw error;
    }
    log.info({ account: store.account.account_id, business: business_id }, 'a cost was removed');
    return context.redirect(`${paths.settings(business_id)}?done=removed`, 303);
  });
}

function readTypedCost(form: Form): TypedCost | null {
  const text = (name: string) => form.text(name).trim();
  const kind = text('kind');
  if (!Object.hasOwn(ASSUMPTION_KINDS, kind)) return null;
  return {
    kind: kind as AssumptionKind,
    percent: text('percent'),
    amount: text('amount'),
    per: text('per'),
    from: text('from'),
    payment_method: text('payment_method'),
    shipping_method: text('shipping_method'),
    country: text('country'),
  };
}

function refusedCost(refusal: AssumptionRefusal, typed: TypedCost, messages: Messages): string {
  const { say } = messages;
  switch (refusal.why) {
    case 'not a number': {
      const text = typed[refusal.field].slice(0, 60);
      const most = refusal.most === 100 ? '100' : say('costs.billion');
      return say('costs.not-a-number', { text, most });
    }
    case 'no number':
      return say('costs.no-number');
    case 'not a day':
      return say('costs.not-a-day', { text: typed.from.slice(0, 60) });
    case 'no unit':
      return say('costs.no-unit');
    case 'no currency':
      return say('costs.no-currency');
    case 'too long a name':
      return say('costs.too-long');
    default:
      return say('costs.same', {
        day: messages.day(typed.from),
        cost: costInWords(refusal.same, messages),
      });
  }
}

function addDeletion(app: PageApp, pages: Pages): void {
  const { paths, deletionPlace, log } = pages;

  app.get(paths.deleteStore(business), async (context) => {
    const store = await requireStore(pages, context);
    if (store instanceof Response) return store;
    return context.html(deleteStorePage({ paths, ...store, error: null, messages: messagesOf(context) }));
  });

  app.post(paths.deleteStore(business), async (context) => {
    const store = await requireStore(pages, context);
    if (store instanceof Response) return store;
    const { account } = store;
    const messages = messagesOf(context);
    const { business_id } = store.business;
    const tooOften = await refuseTooOften(pages, context, account, 'stores');
    if (tooOften !== null) return tooOften;
    if ((await readForm(context)).text('sure') !== 'yes')
      return context.html(
        deleteStorePage({ paths, ...store, error: messages.say('delete.tick'), messages }),
        400,
      );
    try {
      await deleteBusiness(deletionPlace, business_id);
    } catch (error) {
      const isKnown = error instanceof ImportError || error instanceof InputError;
      if (!isKnown || error instanceof OperatorError) throw error;
      const why = messages.say('delete.busy');
      return context.html(deleteStorePage({ paths, ...store, error: why, messages }), 409);
    }
    log.info({ account: account.account_id, business: business_id }, 'a store was deleted');
    return context.redirect(`${paths.stores}?done=deleted`, 303);
  });
}

const NOTICES: ReadonlyMap<string, PlainKey> = new Map([
  ['saved', 'settings.saved'],
  ['added', 'costs.added'],
  ['removed', 'costs.removed'],
]);

interface Shown {
  readonly typed?: TypedSettings;
  readonly typedCost?: TypedCost;
  readonly error?: string;
  readonly status?: 400 | 503;
}

async function show(
  { paths, control }: Pages,
  context: PageContext,
  { account, business }: ManagedStore,
  { typed, typedCost, error, status = 400 }: Shown,
): Promise<Response> {
  const { business_id } = business;
  const messages = messagesOf(context);
  const done = error === undefined ? NOTICES.get(context.req.query('done') ?? '') : undefined;
  return context.html(
    storeSettingsPage({
      paths,
      account,
      business,
      typed: typed ?? (await settingsNow(control, business)),
      costs: await listAssumptions(control, business_id),
      typedCost: typedCost ?? null,
      today: Temporal.Now.plainDateISO(business.timezone ?? 'UTC').toString(),
      error: error ?? null,
      notice: done === undefined ? null : messages.say(done),
      messages,
    }),
    error === undefined ? 200 : status,
  );
}

async function settingsNow(control: Pages['control'], business: Business): Promise<TypedSettings> {
  const vat_rate = await readVatRate(control, business.business_id);
  return {
    name: business.name,
    link: business.link ?? '',
    timezone: business.timezone ?? 'UTC',
    currency: business.primary_currency ?? '',
    vat_rate: vat_rate === null ? '' : String(vat_rate),
  };
}
