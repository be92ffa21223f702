import { isPersonalName } from './personal-names.ts';
import { fieldsOf } from './stored-json.ts';

/** TRICKY: `logo@2x.png` is no address. */
const ADDRESS =
  /[\w.+-]{1,64}(?:@|%40|&#64;|&commat;)(?!\dx\.)(?:[a-z\d-]{1,63}\.){1,8}[a-z][a-z\d-]{1,23}/gi;

/**
 * What an address must have one of. Looking for an address takes sixty steps for each character of a long
 * body.
 */
const AT = /@|%40|&#64;|&commat;/i;

/**
 * The text without e-mail addresses: a template that was filled in for somebody, or a test segment, must not
 * tell who that is. The import takes them out of what is stored; this is a second lock.
 */
export function withoutAddresses(text: string): string {
  return AT.test(text) ? text.replace(ADDRESS, '[e-mail address]') : text;
}

/**
 * A value of JSON without e-mail addresses, and without what conditions on a name or a phone number look for.
 */
export function withoutPersonalValues(json: unknown): unknown {
  if (typeof json === 'string') return withoutAddresses(json.toWellFormed());
  if (Array.isArray(json)) return json.map(withoutPersonalValues);
  if (typeof json !== 'object' || json === null) return json;
  const { type, value } = json as { type?: unknown; value?: unknown };
  const { name } = fieldsOf(value);
  const isPersonal = type === 'attribute' && typeof name === 'string' && isPersonalName(name);
  return Object.fromEntries(
    Object.entries(json).map(([field, item]) => [
      withoutAddresses(field.toWellFormed()),
      isPersonal && field === 'value' && 'value' in fieldsOf(item)
        ? { ...fieldsOf(item), value: '[personal value]' }
        : withoutPersonalValues(item),
    ]),
  );
}
