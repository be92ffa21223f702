import { ACCOUNT } from './account.ts';
import { APPS } from './apps.ts';
import { DELIVERY_IN_WORDS } from './delivery-in-words.ts';
import { FINDINGS } from './findings.ts';
import { FINDINGS_IN_WORDS } from './findings-in-words.ts';
import { IMPORT_REPORT } from './import-report.ts';
import { LAYOUT } from './layout.ts';
import { MAP_TABLE } from './map-table.ts';
import { MEANINGS } from './meanings.ts';
import { NOTES } from './notes.ts';
import { OVERVIEW } from './overview.ts';
import { OVERVIEW_NUMBERS } from './overview-numbers.ts';
import { OVERVIEW_QUESTIONS } from './overview-questions.ts';
import { PICTURES } from './pictures.ts';
import { QUESTIONS } from './questions.ts';
import { REFUSALS } from './refusals.ts';
import { SOURCES } from './sources.ts';
import { STORE } from './store.ts';
import { STORE_SETTINGS } from './store-settings.ts';
import { TEAM } from './team.ts';
import { UPLOAD } from './upload.ts';
import { VENDORS } from './vendors.ts';
import { WAY_IN } from './way-in.ts';

/** All texts of pages and reports, by their keys. */
export const CATALOGUE = {
  ...LAYOUT,
  ...OVERVIEW,
  ...OVERVIEW_NUMBERS,
  ...OVERVIEW_QUESTIONS,
  ...FINDINGS,
  ...MEANINGS,
  ...NOTES,
  ...DELIVERY_IN_WORDS,
  ...FINDINGS_IN_WORDS,
  ...WAY_IN,
  ...IMPORT_REPORT,
  ...PICTURES,
  ...QUESTIONS,
  ...SOURCES,
  ...STORE,
  ...STORE_SETTINGS,
  ...UPLOAD,
  ...ACCOUNT,
  ...APPS,
  ...MAP_TABLE,
  ...REFUSALS,
  ...TEAM,
  ...VENDORS,
} as const;

export type MessageKey = keyof typeof CATALOGUE;

/** The arguments of a message: nothing, or an object with a value for each. */
export type MessageArguments<Key extends MessageKey, Value> = [NamesIn<TextOf<Key>>] extends [never]
  ? []
  : [Readonly<Record<NamesIn<TextOf<Key>>, Value>>];

/** Keys of messages without arguments. */
export type PlainKey = {
  [Key in MessageKey]: [NamesIn<TextOf<Key>>] extends [never] ? Key : never;
}[MessageKey];

type TextOf<Key extends MessageKey> = (typeof CATALOGUE)[Key]['en'];

/**
 * The names of arguments in a text: `from` and `to` for `{from} to {to}`. A text inside a plural has a blank
 * or `#`, as a test makes sure, and is no name.
 */
type NamesIn<Text extends string> = Text extends `${string}{${infer Rest}`
  ? Exclude<UpTo<UpTo<Rest, '}'>, ','>, `${string}${' ' | '#' | '{'}${string}`> | NamesIn<Rest>
  : never;

type UpTo<Text extends string, Mark extends string> = Text extends `${infer Before}${Mark}${string}`
  ? Before
  : Text;
