import type { PlainKey } from '../../messages/catalogue.ts';
import type { Messages } from '../../messages/messages.ts';

/** The words of the form of a vendor. */
interface VendorWords {
  /** Its name for people, where that is no name of its own. */
  readonly title?: PlainKey;
  /** What is read there. */
  readonly reads: PlainKey;
  /** How a person gets the key, step by step, with what they copy from a step. */
  readonly guide: readonly { readonly step: PlainKey; readonly copy?: string }[];
  /**
   * Its settings and secrets by their names. A label that is a name of the vendor's own is as its declaration
   * has it.
   */
  readonly fields: Readonly<Record<string, { readonly label?: PlainKey; readonly hint: PlainKey }>>;
}

const WEBHOOK = { label: 'vendor.webhook', hint: 'vendor.webhook-hint' } as const;

export const VENDOR_WORDS: Readonly<Record<string, VendorWords>> = {
  shopify: {
    reads: 'vendor.shop-reads',
    guide: [
      { step: 'shopify.step-1' },
      {
        step: 'shopify.step-2',
        copy: 'read_orders,read_all_orders,read_products,read_inventory,read_customers',
      },
      { step: 'shopify.step-3' },
      { step: 'shopify.step-4' },
    ],
    fields: {
      shop: { label: 'shopify.shop', hint: 'shopify.shop-hint' },
      clientId: { hint: 'shopify.id-hint' },
      clientSecret: { hint: 'shopify.secret-hint' },
      accessToken: { label: 'shopify.token', hint: 'shopify.token-hint' },
    },
  },
  woocommerce: {
    reads: 'vendor.shop-reads',
    guide: [{ step: 'woocommerce.step-1' }, { step: 'woocommerce.step-2' }, { step: 'woocommerce.step-3' }],
    fields: {
      url: { label: 'woocommerce.url', hint: 'woocommerce.url-hint' },
      consumerKey: { hint: 'woocommerce.step-3-hint' },
      consumerSecret: { hint: 'woocommerce.step-3-hint' },
      webhookSecret: WEBHOOK,
    },
  },
  klaviyo: {
    reads: 'vendor.klaviyo-reads',
    guide: [{ step: 'klaviyo.step-1' }, { step: 'klaviyo.step-2' }, { step: 'klaviyo.step-3' }],
    fields: {
      privateKey: { label: 'klaviyo.key', hint: 'klaviyo.key-hint' },
      webhookSecret: WEBHOOK,
    },
  },
  'fivetran-postgres': {
    title: 'vendor.fivetran',
    reads: 'vendor.fivetran-reads',
    guide: [
      {
        step: 'fivetran.step-1',
        copy: "create user storesight_reader password '…'; grant usage on schema shopify to storesight_reader; grant select on all tables in schema shopify to storesight_reader;",
      },
      {
        step: 'fivetran.step-2',
        copy: 'alter default privileges in schema shopify grant select on tables to storesight_reader;',
      },
      { step: 'fivetran.step-3' },
      { step: 'fivetran.step-4', copy: 'postgresql://storesight_reader:password@host:5432/database' },
    ],
    fields: {
      schema: { label: 'fivetran.schema', hint: 'fivetran.schema-hint' },
      connectionString: { label: 'fivetran.string', hint: 'fivetran.string-hint' },
      certificateAuthority: { label: 'fivetran.certificate', hint: 'fivetran.certificate-hint' },
    },
  },
  url: {
    title: 'vendor.url',
    reads: 'vendor.url-reads',
    guide: [{ step: 'url.step-1' }, { step: 'url.step-2' }, { step: 'url.step-3' }],
    fields: { address: { label: 'url.address', hint: 'url.address-hint' } },
  },
};

/** `A file at a permanent link`: the name of a vendor for people. */
export function vendorTitle(
  { name, title }: { readonly name: string; readonly title: string },
  { say }: Messages,
): string {
  const key = VENDOR_WORDS[name]?.title;
  return key === undefined ? title : say(key);
}

/** The same within a sentence, where it is no name of its own. */
export function vendorInSentence(
  vendor: { readonly name: string; readonly title: string },
  messages: Messages,
): string {
  const title = vendorTitle(vendor, messages);
  return VENDOR_WORDS[vendor.name]?.title === undefined
    ? title
    : title.slice(0, 1).toLocaleLowerCase(messages.locale) + title.slice(1);
}

/** What is read there, where that is written. */
export function vendorReads({ name }: { readonly name: string }, { say }: Messages): string {
  const key = VENDOR_WORDS[name]?.reads;
  return key === undefined ? '' : say(key);
}
