import { chosen, hour, weekday } from './column-kinds.ts';

/**
 * What SQL asks of the business whose model is built; `setBusinessValues` gives a session these variables,
 * and the macro.
 */

/** A moment as the clock of the business shows it. */
export const localTime = (moment: string) => `local_time(${moment})`;

/** `1` for Monday to `7`, and `00` to `23`, on the clock of the business. */
export const localWeekday = (moment: string) => chosen(weekday, `extract(isodow from ${localTime(moment)})`);
export const localHour = (moment: string) => chosen(hour, `extract(hour from ${localTime(moment)}) + 1`);

export const localDate = (moment: string) => `cast(${localTime(moment)} as date)`;

export const BUSINESS_CURRENCY = `cast(getvariable('business_currency') as varchar)`;

/** Nobody comes anew from these hosts. */
export const INTERNAL_HOSTS = `getvariable('internal_hosts')`;

/** 2100 where prices have 21 % VAT; null where that is not known. */
export const VAT_RATE_HUNDREDTHS = `cast(getvariable('vat_rate_hundredths') as integer)`;

/** Hours after a touch in which an order is credited to it. */
export const CLICK_WINDOW_H = `getvariable('click_window_h')`;
export const OPEN_WINDOW_H = `getvariable('open_window_h')`;
export const DELIVERY_WINDOW_H = `getvariable('delivery_window_h')`;

/**
 * What rows ask of the whole store. Variables too, so that what is made of one person's rows alone comes out
 * as it does among all of them.
 */
export const HAS_SESSIONS = `getvariable('has_sessions')`;
export const HAS_CART_EVENTS = `getvariable('has_cart_events')`;
/** The moment of the last order, null without any. */
export const LAST_ORDERED_AT = `cast(getvariable('last_ordered_at') as timestamp)`;

/** Set in the model of some persons alone: products that came back, and that only others bought or viewed. */
export const RETURNED_PRODUCTS = `cast(getvariable('returned_products') as varchar[])`;

/** The moment is in whole seconds since 1970. */
export const secondsOf = (moment: string) => `cast(floor(epoch(${moment})) as bigint)`;
