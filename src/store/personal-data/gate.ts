import { findEmails } from './emails.ts';
import { passJson } from './json-texts.ts';
import type { Passed } from './passed.ts';
import type { PhoneReader } from './phones.ts';
import { TEXT_KINDS, type TextKind, type TextKindName } from './text-kinds.ts';
import { passHost, passPath, passUrl } from './urls.ts';
import { readable, type Span, writtenSpan } from './written-forms.ts';

/** What was found in a text, in the text as it was written. */
export interface Finding extends Span {
  readonly kind: 'e-mail' | 'phone';
}

/** Raised when the gate finds more: canonical tables that an older one let through pass the new one once. */
export const GATE_VERSION = 1;

/** Texts whose result is remembered: addresses of pages and names of campaigns come again and again. */
const MOST_REMEMBERED = 20_000;
const LONGEST_REMEMBERED = 500;

/**
 * The one way by which a text of a merchant's file gets into the store, a report or a message: without e-mail
 * addresses and phone numbers, in whatever form they were written.
 */
export class PersonalDataGate {
  readonly phones: PhoneReader;
  readonly #hash: (text: string) => string;
  readonly #remembered = new Map<string, Passed>();

  /** @param hash the keyed hash of the business */
  constructor(phones: PhoneReader, hash: (text: string) => string) {
    this.phones = phones;
    this.#hash = hash;
  }

  /** The text as a column of a kind may hold it. A text that passed passes again unchanged. */
  pass(name: TextKindName, text: string): Passed {
    if (text.length > LONGEST_REMEMBERED) return this.#pass(name, text);
    const key = `${name} ${text}`;
    const known = this.#remembered.get(key);
    if (known !== undefined) return known;
    const passed = this.#pass(name, text);
    if (this.#remembered.size >= MOST_REMEMBERED) this.#remembered.clear();
    this.#remembered.set(key, passed);
    return passed;
  }

  /** A text out of a file for a person's eyes: the name of the file, of a column. */
  shown(text: string): string {
    return this.#marked(TEXT_KINDS.settings, text).text;
  }

  /** What a text holds, whatever it may be. */
  find(text: string): Finding[] {
    return this.#find(TEXT_KINDS.freeText, text);
  }

  #pass(name: TextKindName, text: string): Passed {
    const kind = TEXT_KINDS[name];
    const mark = (part: string) => this.#marked(kind, part);
    switch (name) {
      case 'url':
        return passUrl(text, mark);
      case 'path':
        return passPath(text, mark);
      case 'host':
        return passHost(text, mark);
      case 'senderAddress':
        return isOneAddress(text) ? { text, hadPersonalData: false } : mark(text);
      case 'attributes':
      case 'settings':
        return passJson(text, mark, name === 'attributes');
      default:
        return kind.becomes === 'hash' ? this.#hashed(kind, text) : mark(text);
    }
  }

  #hashed(kind: TextKind, text: string): Passed {
    const isPersonal =
      (kind.phones === 'any' && this.phones.hasLengthOfPhone(readable(text).text)) ||
      this.#find(kind, text).length > 0;
    return isPersonal ? { text: this.#hash(text), hadPersonalData: true } : { text, hadPersonalData: false };
  }

  #marked(kind: TextKind, text: string): Passed {
    const findings = this.#find(kind, text);
    if (findings.length === 0) return { text, hadPersonalData: false };
    let marked = '';
    let position = 0;
    for (const finding of findings) {
      const found = text.slice(finding.start, finding.end);
      marked += text.slice(position, finding.start) + this.#mark(kind, finding, found);
      position = finding.end;
    }
    marked += text.slice(position);
    // Findings that another one hid are found now; the rest cannot be told apart from the text.
    if (this.#find(kind, marked).length > 0) return { text: '(personal data)', hadPersonalData: true };
    return { text: marked, hadPersonalData: true };
  }

  #mark({ becomes }: TextKind, finding: Finding, found: string): string {
    if (becomes === 'long mark')
      return `(${finding.kind.padEnd(found.length - 2, '_').slice(0, found.length - 2)})`;
    if (becomes !== 'named mark') return `(${finding.kind})`;
    // Letters only: digits could look like a phone number again.
    const letters = this.#hash(found)
      .slice(0, 10)
      .replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
    return `(${/^\d+$/.test(found) ? 'number' : finding.kind} ${letters})`;
  }

  #find({ phones, looseEmails }: TextKind, written: string): Finding[] {
    const read = readable(written);
    const emails = findEmails(read.text, looseEmails);
    // `601234567@sms.cz` is one thing.
    const rest = covered(read.text, emails);
    const found = [
      ...emails.map((span) => ({ ...writtenSpan(read, span), kind: 'e-mail' as const })),
      ...this.phones
        .find(rest, phones)
        .map((span) => ({ ...writtenSpan(read, span), kind: 'phone' as const })),
    ];
    return found.sort((one, other) => one.start - other.start);
  }
}

/** The text with a sign in the place of each character of some spans, which stand in their order. */
function covered(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let position = 0;
  for (const { start, end } of spans) {
    parts.push(text.slice(position, start), '@'.repeat(end - start));
    position = end;
  }
  return parts.join('') + text.slice(position);
}

function isOneAddress(text: string): boolean {
  const [first] = findEmails(text.trim(), false);
  return first?.start === 0 && first.end === text.trim().length;
}
