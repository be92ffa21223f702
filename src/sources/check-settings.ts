import { InputError } from '../errors.ts';
import type { Session } from '../store/duckdb-session.ts';
import { plural } from '../text/plural.ts';
import { MAPPED_STATUS } from './mapped-statuses.ts';
import { placeOf } from './raw-rows.ts';
import type { RawRows, SettingName, Settings, Source } from './source.ts';
import { KEEP } from './store-currency.ts';
import { type AskedQuestion, UnansweredError } from './unanswered.ts';

/** What may be said of each setting. @throws InputError */
export function checkSettings(settings: Settings): void {
  for (const [name, value] of Object.entries(settings) as [SettingName, string][]) {
    if (!CHECKS[name].isValid(value)) throw new InputError(`--${name} ${value}: ${CHECKS[name].expected}`);
  }
}

/** A name has 63 letters at most in PostgreSQL. */
const LONGEST_SCHEMA = 1000;

const CHECKS: Readonly<Record<SettingName, { isValid(value: string): boolean; expected: string }>> = {
  timezone: {
    isValid: (value) => succeeds(() => new Intl.DateTimeFormat('en', { timeZone: value })),
    expected: 'it must be an IANA timezone, for example Europe/Prague',
  },
  dates: {
    isValid: (value) => value === 'dmy' || value === 'mdy',
    expected: 'it must be dmy (day first) or mdy (month first)',
  },
  currency: {
    isValid: (value) => /^[A-Za-z]{3}$/.test(value),
    expected: 'it must be an ISO 4217 code, for example EUR',
  },
  status: {
    isValid: (value) => value.split('\n').every((pair) => MAPPED_STATUS.test(pair)),
    expected: 'it must be a status of the files and one of ours, for example "Bezahlt=paid"',
  },
  encoding: {
    isValid: (value) => succeeds(() => new TextDecoder(value)),
    expected: 'it must be the name of an encoding, for example windows-1250',
  },
  'exported-at': {
    isValid: (value) => /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)),
    expected: 'it must be a date, for example 2026-10-31',
  },
  'orders-from': {
    isValid: (value) => value === 'ga4' || value === 'shop',
    expected: 'it must be ga4 (purchases that Google Analytics saw) or shop (the orders that a shop exports)',
  },
  'store-currency': {
    isValid: (value) => value === KEEP || /^[A-Za-z]{3}$/.test(value),
    expected:
      'it must be the ISO 4217 code of the currency that the store is to have, for example EUR, or keep to leave it as it is',
  },
  schema: {
    isValid: (value) => value.trim() !== '' && value.length <= LONGEST_SCHEMA,
    expected: `it must be the name of a schema, or several with commas between them, in at most ${LONGEST_SCHEMA} characters`,
  },
};

function succeeds(work: () => unknown): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}

/** The settings that hold for the imports to come. The day of an export is that of its own files alone. */
export function lasting({ 'exported-at': _, ...others }: Settings): Settings {
  return others;
}

/** The settings that a source has. */
export function ofSource(source: Source, settings: Settings): Settings {
  return Object.fromEntries(
    Object.entries(settings).filter(([name]) => source.settings.includes(name as SettingName)),
  );
}

/** @throws ImportError when rows cannot be understood without settings that nobody gave */
export async function askForSettings(session: Session, source: Source, raw: RawRows): Promise<void> {
  const asked: (AskedQuestion & { readonly example: string })[] = [];
  for (const { setting, condition, problem, example, values } of source.questions(raw)) {
    // A status that is not in the list is asked for again and again until the list is whole.
    if (setting !== 'status' && raw.settings[setting] !== undefined) continue;
    const { count, first } = await session.row(
      `select count(*) as count, min(rowid) as first from "${raw.relation}" where ${condition}`,
    );
    if (Number(count) === 0) continue;
    const rows = plural(Number(count), 'row', 'rows');
    asked.push({
      source: source.name,
      setting,
      text: `${problem}: ${rows}, the first is ${await placeOf(session, raw, Number(first))}`,
      values: values === undefined ? [] : await unknownValues(session, raw, condition, values),
      said: raw.settings[setting] ?? null,
      example,
    });
  }
  if (asked.length === 0) return;
  const unique = [...new Map(asked.map((each) => [each.text.split(': ')[0], each])).values()];
  throw new UnansweredError(
    `${source.title}: something must be known that the files do not say.\n${unique.map(({ text, example }) => `- ${text}. Say ${example}`).join('\n')}\n` +
      'It is remembered for this business',
    unique.map(({ example: _, ...question }) => question),
  );
}

/** More are asked for when these are known. */
const MOST_VALUES = 30;

async function unknownValues(
  session: Session,
  { relation }: RawRows,
  condition: string,
  values: string,
): Promise<string[]> {
  const rows = await session.rows(
    `select distinct unnest(${values}) as text from "${relation}" where ${condition} order by text limit ${MOST_VALUES}`,
  );
  return rows.map(({ text }) => String(text));
}
