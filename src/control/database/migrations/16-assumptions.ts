import type { Migration } from './migration.ts';

export const assumptions: Migration = ({ text, integer, strict }) => `
  create table assumptions (
    business_id ${text} not null references businesses on delete cascade,
    assumption_id ${text} not null,
    kind ${text} not null,
    per ${text} not null,
    percent_ten_thousandths ${integer},
    amount_ten_thousandths ${integer},
    currency ${text},
    from_day ${text} not null,
    payment_method ${text} not null,
    shipping_method ${text} not null,
    country ${text} not null,
    created_at ${text} not null,
    primary key (business_id, assumption_id),
    unique (business_id, kind, per, payment_method, shipping_method, country, from_day)
  )${strict};
  `;
