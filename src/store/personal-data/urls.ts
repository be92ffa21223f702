import { linkType, NO_CONTENT } from '../../text/link-types.ts';
import { isPersonalName } from '../../text/personal-names.ts';
import { PLACEHOLDER } from '../../text/placeholders.ts';
import type { Mark, Passed } from './passed.ts';

/**
 * A URL whose path passed, without the user before the host, and with those parameters only that tell one
 * page from another: not those that tell who clicked (`?email=…`, `?mc_eid=…`, a long token), whatever is
 * written in them. Links that unsubscribe somebody or show what somebody got keep only what a platform fills
 * in (`?r={{ token }}`).
 */
export function passUrl(url: string, mark: Mark): Passed {
  const [, address = '', query, fragment] =
    /^([^?#]*)(?:[?]([^#]*))?(?:#(.*))?$/s.exec(withoutReferences(url)) ?? [];
  const passed = passAddress(address, mark);
  const parameters = query === undefined ? NO_QUERY : passQuery(address, query, mark);
  const rest = fragment === undefined ? NO_QUERY : passFragment(fragment, mark);
  return {
    text: passed.text + parameters.text + rest.text,
    hadPersonalData: passed.hadPersonalData || parameters.hadPersonalData || rest.hadPersonalData,
  };
}

/** The path of a page, without what follows it. */
export function passPath(path: string, mark: Mark): Passed {
  const [address = ''] = /^[^?#]*/.exec(withoutReferences(path)) ?? [];
  const passed = passAddress(address, mark);
  return { text: passed.text, hadPersonalData: passed.hadPersonalData || mark(path).hadPersonalData };
}

/** The host of an e-mail address or a URL. */
export function passHost(text: string, mark: Mark): Passed {
  const marked = mark(text);
  const [, scheme, authority = ''] = /^([a-z][a-z\d+.-]*:\/\/)?([^/?#]*)/i.exec(text.trim()) ?? [];
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  // Before an `@` that is encoded, a name is no host.
  const isTold = !marked.hadPersonalData || authority.includes('@') || scheme !== undefined;
  const isHost = isTold && HOST.test(host) && !mark(host).hadPersonalData;
  if (isHost) return { ...marked, text: host };
  // The text around an address that is no host either may be a part of it.
  const [alone] = /[(][a-z -]+[)]/.exec(marked.text) ?? [];
  return marked.hadPersonalData ? { ...marked, text: alone ?? '(personal data)' } : marked;
}

const HOST = /^[\p{L}\p{M}\p{N}_-]+(?:\.[\p{L}\p{M}\p{N}_-]+)*\.?$/u;

/** The `#` in `&#64;` begins no fragment. */
function withoutReferences(url: string): string {
  return url.replace(/&#(?:x([\da-f]{2,5})|(\d{2,6}));?/gi, (_, hex: string | undefined, decimal: string) =>
    String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
  );
}

const NO_QUERY: Passed = { text: '', hadPersonalData: false };

/** `tel:601234567`, `https://wa.me/420601234567`: whatever they call is a phone number. */
const CALL = /^(tel|sms|smsto|callto|whatsapp|viber):.*|((?:wa\.me|api\.whatsapp\.com)\/)\+?\d{6,}/is;

function passAddress(address: string, mark: Mark): Passed {
  if (CALL.test(address)) {
    const text = address.replace(CALL, (_, scheme, site) =>
      scheme ? `${scheme}:(phone)` : `${site}(phone)`,
    );
    return { text: mark(text).text, hadPersonalData: text !== address };
  }
  return mark(address.replace(/^([a-z][a-z\d+.-]*:)?\/\/[^/@]*@/i, '$1//'));
}

/** Parameters of one person, or of one click, by their names in tools that send messages. */
const OF_A_PERSON =
  /^(?:gclid|gbraid|wbraid|dclid|fbclid|msclkid|ttclid|yclid|twclid|li_fat_id|mc_eid|_kx|epik|igshid|_hsenc|_hsmi|mkt_tok|vero_id|oly_enc_id|oly_anon_id|ck_subscriber_id|e?mail|em|eml|recipient|subscriber|contact|member|user|uid|token|auth|hash|sig|signature|session|sid)$/i;

function passQuery(address: string, query: string, mark: Mark): Passed {
  const isOfOneReader = NO_CONTENT.includes(linkType(address));
  let hadPersonalData = false;
  const kept = query.split(/(?=&)/).flatMap((parameter) => {
    const [, separator = '', name = '', value = ''] =
      /^(&(?:amp;|#38;)?)?([^=]*)=?(.*)$/s.exec(parameter) ?? [];
    // A blank is written as + here.
    const text = `${name}=${value}`.replaceAll('+', ' ');
    const isPersonal =
      mark(text).hadPersonalData ||
      mark(name).hadPersonalData ||
      mark(value).hadPersonalData ||
      hidesAddress(value, mark);
    hadPersonalData ||= isPersonal;
    const isTemplate = PLACEHOLDERS.test(value);
    const isOfPerson = !isTemplate && (isOfOneReader || tellsWho(name) || TOKEN.test(value));
    return isPersonal || isOfPerson ? [] : [{ separator, text: parameter.slice(separator.length) }];
  });
  const text = kept.map(({ separator, text }, index) => (index === 0 ? text : separator + text)).join('');
  return { text: text === '' ? '' : `?${text}`, hadPersonalData };
}

/** An `id` in a URL names a product or a page, and not a person. */
function tellsWho(name: string): boolean {
  return OF_A_PERSON.test(name) || (isPersonalName(name) && name.toLowerCase() !== 'id');
}

const PLACEHOLDERS = new RegExp(PLACEHOLDER);
/** Hashes, signatures, encrypted texts: 32 characters and more without a blank or a dash. */
const TOKEN = /^(?=.*\d)(?=.*[a-z])[\w.~%=]{32,}$/i;

/** `amFuYUBvYmNob2QuY3o=` is jana@obchod.cz in base64, `6a616e6140…` in hexadecimal. */
function hidesAddress(value: string, mark: Mark): boolean {
  const encoded = value.replace(/%3D/gi, '=');
  const isHex = /^(?:[\da-f]{2}){6,}$/i.test(encoded);
  if (!isHex && !/^[\w+/-]{8,}={0,2}$/.test(encoded)) return false;
  const decoded = Buffer.from(encoded, isHex ? 'hex' : 'base64').toString('utf8');
  return /^[\x20-\x7e]+$/.test(decoded) && mark(decoded).hadPersonalData;
}

/** Pages of some shops are told apart by what follows the `#`. */
function passFragment(fragment: string, mark: Mark): Passed {
  const { hadPersonalData } = mark(fragment);
  return { text: hadPersonalData || fragment.includes('=') ? '' : `#${fragment}`, hadPersonalData };
}
