import type { Command } from 'commander';
import { readAttributionWindows, readHours } from '../control/businesses/attribution-windows.ts';
import type { BusinessSettings } from '../control/businesses/business-settings.ts';
import {
  businessesCalled,
  createBusiness,
  describeBusiness,
  findBusiness,
  listBusinesses,
  readCurrency,
  readTimezone,
} from '../control/businesses/businesses.ts';
import { parseVatRate } from '../control/businesses/vat-rate.ts';
import type { ControlDatabase } from '../control/database/control-database.ts';
import { businessesIn } from '../control/database/same-instance.ts';
import { InputError } from '../errors.ts';
import { rebuildSnapshot } from '../snapshot/build-snapshot.ts';
import { deleteBusiness } from '../snapshot/delete-business.ts';
import { findSnapshotFolders } from '../snapshot/snapshot-folders.ts';
import { updateBusiness } from '../snapshot/update-business.ts';
import { addAssumptionCommands } from './assumption-commands.ts';
import { command, withInstance } from './command.ts';
import { describeUnknown } from './instance-commands.ts';
import { table } from './text-table.ts';

export function addBusinessCommands(program: Command): void {
  const business = program.command('business').description('The stores whose data is here');
  addCreate(business);
  addUpdate(business);
  addRename(business);
  addDelete(business);
  addList(business);
  addAssumptionCommands(business);
}

function addCreate(business: Command): void {
  command(business, 'create', 'Make a business; then import its files')
    .requiredOption('--name <name>', 'display name')
    .option('--timezone <name>', 'IANA timezone of its dates, for example Europe/Prague (without: UTC)')
    .option('--currency <code>', 'ISO 4217 code of its money, for example CZK')
    .option('--link <url>', 'public storefront URL')
    .option('--id <uuid>', 'its business_id (without: a new one)')
    .action(
      withInstance<{
        json?: true;
        name: string;
        timezone?: string;
        currency?: string;
        link?: string;
        id?: string;
      }>(async ({ instance, output }, options) => {
        const namesakes = await businessesCalled(instance.control, options.name);
        const created = await createBusiness(instance.control, options);
        const { business_id } = created;
        const same_name = namesakes.map((other) => other.business_id);
        const { unknown } = await findSnapshotFolders(instance.data.snapshots(business_id), [], null);
        // An empty snapshot, so that tools answer zeros before the first import.
        if (unknown.length === 0) await rebuildSnapshot(instance, created);
        const hint = `\nThe data folder holds snapshots of it: see \`snapshot list ${business_id}\``;
        const warning = `\nThere was a business of this name already: ${same_name.join(', ')}`;
        output.result(
          { business_id, ...(same_name.length === 0 ? {} : { same_name }) },
          `Created ${created.name}: ${business_id}${same_name.length === 0 ? '' : warning}${unknown.length === 0 ? '' : hint}`,
        );
      }),
    );
}

function addUpdate(business: Command): void {
  command(
    business,
    'update <business_id>',
    'Change settings, and build its data anew with them: all of it, or nothing when that fails',
  )
    .option('--timezone <name>', 'IANA timezone of its dates, for example Europe/Prague')
    .option(
      '--currency <code>',
      'ISO 4217 code of its money, for example CZK; amounts without a currency are not converted, others by fx_rates',
    )
    .option(
      '--vat-rate <percent>',
      'VAT in prices where orders do not tell it, for example 21; 0: none (usual: not known, and then profit is not either)',
    )
    .option('--click-window <hours>', 'a click is credited with orders in the hours after it (usual: 168)')
    .option('--open-window <hours>', 'likewise the opening of an e-mail (usual: 24; 0: never)')
    .option('--sms-delivery-window <hours>', 'likewise the delivery of an SMS (usual: 0, never)')
    .action(
      withInstance<UpdateOptions & { json?: true }>(
        async ({ instance, output }, { json: _, ...options }, id) => {
          const found = await findBusiness(instance.control, id);
          const asked = await readAsked(instance.control, found.business_id, options);
          const { changed, settings, snapshot, notes } = await output.progress(
            `Building ${found.name} anew`,
            (onStep) => updateBusiness({ ...instance, onStep }, found, asked),
          );
          const { attribution_windows, ...others } = settings;
          output.result(
            {
              business_id: found.business_id,
              ...others,
              attribution_windows_h: attribution_windows,
              changed: changed.map((name) =>
                name === 'attribution_windows' ? 'attribution_windows_h' : name,
              ),
              snapshot,
              notes,
            },
            [
              ...notes.map((note) => `Note: ${note}`),
              changed.length === 0
                ? `${found.name}: nothing changed, it was set so`
                : `${found.name}: ${changed.map((name) => describeSetting(name, settings)).join('; ')}`,
            ].join('\n'),
          );
        },
      ),
    );
}

function addRename(business: Command): void {
  command(business, 'rename <business_id>', 'Change its display name, or the address of its storefront')
    .option('--name <name>', 'display name')
    .option('--link <url>', 'public storefront URL')
    .action(
      withInstance<{ json?: true; name?: string; link?: string }>(
        async ({ instance, output }, { name, link }, id) => {
          const found = await findBusiness(instance.control, id as string);
          if (name === undefined && link === undefined)
            throw new InputError('say what to change: --name, --link, or both');
          await describeBusiness(instance.control, found.business_id, {
            name: name ?? found.name,
            link: link ?? found.link ?? undefined,
          });
          const now = await findBusiness(instance.control, found.business_id);
          output.result(
            { business_id: now.business_id, name: now.name, link: now.link },
            `${found.name} is now ${now.name}${now.link === null ? '' : `, ${now.link}`}`,
          );
        },
      ),
    );
}

function addDelete(business: Command): void {
  command(
    business,
    'delete <business_id>',
    'Delete it for good: its data, uploads and connections, what is set for it, and who may read it',
  )
    .option('--yes', 'say that this is meant')
    .action(
      withInstance<{ json?: true; yes?: true }>(async ({ instance, output }, { yes }, id) => {
        const found = await findBusiness(instance.control, id as string);
        if (yes !== true)
          throw new InputError(
            `${found.name} would be deleted with all its data, which nobody can bring back; say --yes if that is meant`,
          );
        await deleteBusiness(instance, found.business_id);
        output.result({ deleted: found.business_id }, `Deleted ${found.name}.`);
      }),
    );
}

function addList(business: Command): void {
  command(business, 'list', 'Show the businesses').action(
    withInstance(async ({ instance, output }) => {
      const businesses = await listBusinesses(instance.control);
      const known = new Set(businesses.map(({ business_id }) => business_id));
      const unknown_businesses = businessesIn(instance.data).filter((id) => !known.has(id));
      const text = table(businesses, 'No business yet; make one with `business create`.');
      output.result(
        { businesses, unknown_businesses },
        [text, ...describeUnknown(unknown_businesses)].join('\n'),
      );
    }),
  );
}

interface UpdateOptions {
  readonly timezone?: string;
  readonly currency?: string;
  readonly vatRate?: string;
  readonly clickWindow?: string;
  readonly openWindow?: string;
  readonly smsDeliveryWindow?: string;
}

async function readAsked(
  control: ControlDatabase,
  businessId: string,
  { timezone, currency, vatRate, clickWindow, openWindow, smsDeliveryWindow }: UpdateOptions,
): Promise<Partial<BusinessSettings>> {
  const windows = {
    click: readHours('--click-window', clickWindow),
    open: readHours('--open-window', openWindow),
    delivery: readHours('--sms-delivery-window', smsDeliveryWindow),
  };
  const before = await readAttributionWindows(control, businessId);
  const asked = {
    ...(timezone !== undefined && { timezone: readTimezone(timezone) }),
    ...(currency !== undefined && { primary_currency: readCurrency(currency) }),
    ...(vatRate !== undefined && { vat_rate: parseVatRate(vatRate) }),
    ...(Object.values(windows).some((hours) => hours !== undefined) && {
      attribution_windows: {
        click: windows.click ?? before.click,
        open: windows.open ?? before.open,
        delivery: windows.delivery ?? before.delivery,
      },
    }),
  };
  if (Object.keys(asked).length > 0) return asked;
  throw new InputError('say what to change, for example --timezone Europe/Prague; --help shows all there is');
}

function describeSetting(name: keyof BusinessSettings, settings: BusinessSettings): string {
  const { click, open, delivery } = settings.attribution_windows;
  return {
    timezone: `time zone ${settings.timezone}`,
    primary_currency: `currency ${settings.primary_currency}`,
    vat_rate: settings.vat_rate === null ? 'no VAT rate' : `VAT rate ${settings.vat_rate} %`,
    attribution_windows: `click ${click} h, open ${open} h, SMS delivery ${delivery} h`,
  }[name];
}
