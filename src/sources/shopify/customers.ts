import { literal } from '../../store/duckdb-session.ts';
import { isInFileWith } from '../missing-values.ts';
import type { RawRows, Source } from '../source.ts';
import { listCell, wholeId, wholePhone, withoutApostrophe } from '../source-cells.ts';

/** The admin's customer export: a row for each customer. */
export const shopifyCustomers: Source = {
  name: 'shopify-customers-csv',
  title: 'Shopify customers, CSV export of the admin',
  signature: ['email', 'total spent', 'total orders'],
  columns: {
    email: { header: ['email'], isRequired: true, absent: 'customers by e-mail' },
    customer_id: { header: ['customer id'], absent: 'customers are known by their e-mail or phone' },
    phone: { header: ['phone'] },
    address_phone: { header: ['default address phone'] },
    country: { header: ['default address country code', 'country code'], tells: ['profiles.country'] },
    accepts_email: {
      header: ['accepts email marketing', 'accepts marketing'],
      absent: 'no consents for e-mail',
    },
    accepts_sms: { header: ['accepts sms marketing'], absent: 'no consents for SMS' },
    tags: { header: ['tags'], tells: ['profiles.tags'] },
  },
  settings: ['exported-at', 'encoding'],
  questions: () => [],
  assumptions: (raw) => [
    raw.settings['exported-at'] === undefined
      ? `consents have no date in this export: they are of the day on which the file was written (${writtenDays(raw)}); another can be said: --exported-at, or “Day of the export” in the browser`
      : `consents have no date in this export: they are of ${raw.settings['exported-at']}`,
  ],
  prepare: (raw) => [
    `create temp table shopify_customers as
      select rowid as _row, _file, email, ${exportedAt(raw)} as exported_at, country, tags, accepts_email, accepts_sms,
        ${wholeId(withoutApostrophe('customer_id'))} as shopify_id,
        ${wholePhone(withoutApostrophe('phone'), withoutApostrophe('address_phone'))} as phone,
        coalesce(shopify_id, lower(email), phone) as profile_id
      from "${raw.relation}"
      where coalesce(customer_id, email, phone, address_phone, accepts_email) is not null`,
  ],
  translate: () => ({
    profiles: `
      select _row, case when profile_id is null then 'names nobody: it has no id, e-mail or phone' end as _malformed,
        _file, profile_id, email, phone, shopify_id as external_customer_id, country, ${listCell('tags')} as tags
      from shopify_customers order by _row`,
    consent_events: `
      select _row, profile_id, email, phone, channel, exported_at as "at",
        case answer when 'yes' then 'subscribed' when 'no' then 'unsubscribed' else answer end as state, 'import' as source
      from (
        select *, 'email' as channel, lower(accepts_email) as answer from shopify_customers where email is not null
        union all
        select *, 'sms' as channel, lower(accepts_sms) as answer from shopify_customers where phone is not null
      )
      where profile_id is not null and answer is not null order by _row, channel`,
  }),
  missing: (raw) => ({
    profiles: { phone: `phone is null and not ${isInFileWith(raw, 'phone', 'address_phone')}` },
  }),
};

function exportedAt({ settings, written }: RawRows): string {
  const said = settings['exported-at'];
  if (said !== undefined) return literal(said);
  const days = written.map((moment, index) => `when ${index} then ${literal(moment.toISOString())}`);
  return `case _file ${days.join(' ')} end`;
}

function writtenDays({ written }: RawRows): string {
  return [...new Set(written.map((moment) => moment.toISOString().slice(0, 10)))].join(', ');
}
