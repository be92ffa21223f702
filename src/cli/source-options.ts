import type { Settings } from '../sources/source.ts';

/** The options by which a person says what files, or rows of a vendor, do not say. */
export interface SourceOptions {
  readonly timezone?: string;
  readonly dates?: string;
  readonly currency?: string;
  readonly status?: readonly string[];
  readonly encoding?: string;
  readonly schema?: string;
  readonly ordersFrom?: string;
  readonly storeCurrency?: string;
}

export function sourceSettings({
  timezone,
  dates,
  currency,
  status,
  encoding,
  schema,
  ordersFrom,
  storeCurrency,
}: SourceOptions): Settings {
  return {
    ...(timezone === undefined ? {} : { timezone }),
    ...(dates === undefined ? {} : { dates }),
    ...(currency === undefined ? {} : { currency }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(schema === undefined ? {} : { schema }),
    ...(storeCurrency === undefined ? {} : { 'store-currency': storeCurrency }),
    ...(ordersFrom === undefined ? {} : { 'orders-from': ordersFrom }),
    ...(status === undefined ? {} : { status: status.join('\n') }),
  };
}
