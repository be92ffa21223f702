import { withoutAccents } from './without-accents.ts';

/**
 * Names of attributes that tell who one person is: e-mail, phone, name, postal address, and numbers that only
 * one person has. They are in lower case and without accents. The build keeps attributes of these names out
 * of the model, so these are texts that DuckDB understands too.
 */
export const PERSONAL_NAMES = [
  'mail|phone|telefon|handynummer|msisdn|whatsapp|(^tel|(^|[ _-])mobile)([ _-]?(number|nr|no))?$',
  '(^|first|last|full|middle|maiden|sur|family|given|nick|user|display|customer|client|contact|person|recipient|billing|shipping|delivery)[ _-]?name$',
  'jmeno|prijmeni|^meno$|priezvisko|^imie$|nazwisko|vorname|nachname|^(pre)?nom$|^nombre|apellido|^nome$|cognome',
  'address$|adresa$|street|ulice|iban|rodne|^ssn$|passport',
  '^id$|(customer|client|user|profile|person|contact|member|visitor|loyalty|card|account)[ _-]?(id|nr|no|number)$',
].join('|');

const NAMES = new RegExp(PERSONAL_NAMES, 'i');

export function isPersonalName(name: string): boolean {
  return NAMES.test(withoutAccents(name));
}

/**
 * An e-mail address anywhere in a text, a text that is a phone number, or what the import left of one; for
 * DuckDB too.
 */
export const PERSONAL_TEXTS =
  '[^ @]@[^ @]+[.][a-zA-Z]|^ *[+][0-9][0-9 ()./-]{6,}$|[(](e-mail|phone|personal data)[)]';

const TEXTS = new RegExp(PERSONAL_TEXTS);

export function isPersonalText(text: string): boolean {
  return TEXTS.test(text);
}
