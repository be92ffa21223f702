import type { Label } from '../../answers/chart.ts';

import { wordsFor } from '../drawn-store.ts';
import { capitalised, inWords, labelOf, unitWord, wordsOf } from '../field-words.ts';
import type { Panel, Saying } from '../figure.ts';
import { fieldAt, metricOf, RECORDED, type Row, unitAt } from './answer-rows.ts';
import type { Asked } from './asked-question.ts';

type Head = Pick<Panel, 'heading' | 'says' | 'definitions'>;

/**
 * The heading of a panel, with what must be said about its values.
 *
 * @param of what its rows are grouped by: “ by campaign”
 */
export function headOf(asked: Asked, rows: string, keys: readonly string[], of = ''): Head {
  const name = namesOf(asked, rows, keys);
  const known = unitAt(asked, rows, keys[0] ?? '');
  const unit = unitWord(known, asked.store.currency);
  // A page's own name says what is counted.
  const isCounted = asked.names !== undefined && !['money', 'cents', 'percent'].includes(known ?? '');
  const isSaid = unit === '' || isCounted || name.toLowerCase().split(/\W+/).includes(unit.toLowerCase());
  return {
    heading: `${isSaid ? name : `${name} (${unit})`}${of}`,
    says: [...whichRevenues(asked, rows, keys), ...ofRecorded(asked, rows, keys)],
    definitions: definitionsOf(asked, rows, keys),
  };
}

/** The names of the values without their unit, for sentences. */
export function namesOf(asked: Asked, rows: string, keys: readonly string[]): string {
  return keys.map((key) => nameOf(asked, rows, key)).join(', ');
}

/** A number's name on the page, else the words of its key. */
export function nameOf(asked: Asked, rows: string, key: string): string {
  const named = asked.names?.[key];
  if (named !== undefined) return named;
  const called = asked.called?.[key];
  if (called !== undefined) return called.name;
  const metric = fieldAt(asked, rows, key).unit === 'as metric' ? metricOf(asked) : null;
  if (metric === null) return labelOf(key);
  return key === 'metric_value' ? labelOf(metric) : `${labelOf(key)} in ${labelOf(metric).toLowerCase()}`;
}

export function definitionsOf(asked: Asked, rows: string, keys: readonly string[]): Head['definitions'] {
  return keys.flatMap((key) => {
    const { definition } = fieldAt(asked, rows, key);
    const text = asked.meanings?.[key] ?? (definition === undefined ? undefined : inWords(definition));
    return text === undefined ? [] : [{ label: nameOf(asked, rows, key), text }];
  });
}

/** Says which revenue is drawn: a store has several, and a reader takes one for everything that came in. */
function whichRevenues(asked: Asked, rows: string, keys: readonly string[]): Saying[] {
  const said = keys.flatMap((key) => whichRevenue(asked, rows, key));
  const kinds = new Set(keys.map((key) => fieldAt(asked, rows, key).revenue));
  if (!kinds.has('credited') || kinds.has('of the store')) return said;
  const these = keys.length > 1 ? 'these are' : 'this is';
  return [...said, `The store's own revenue is another: ${these} credited by a rule.`, ...ruleOf(asked)];
}

/**
 * Says by which rule messages get their credit, if the answer has it: otherwise 68 orders next to 82 clicks
 * look wrong.
 */
function ruleOf({ answer }: Asked): string[] {
  const { attribution_click_window_h: click, attribution_open_window_h: open } = answer;
  if (typeof click !== 'number' || typeof open !== 'number' || click <= 0) return [];
  const opened = open > 0 ? `, or opened in the ${hoursInWords(open)} before` : '';
  const after = open > 0 ? ' An order may come without a click.' : '';
  return [
    `The rule: to the last e-mail or SMS clicked in the ${hoursInWords(click)} before the order${opened}.${after}`,
  ];
}

function hoursInWords(hours: number): string {
  return hours % 24 === 0 && hours > 24 ? `${hours / 24} days` : `${hours} hours`;
}

/**
 * Says that only recorded visits count: a store has more of them, and those of buyers are recorded more
 * often.
 */
function ofRecorded(asked: Asked, rows: string, keys: readonly string[]): string[] {
  const units = keys.flatMap((key) => {
    const { of, unit } = fieldAt(asked, rows, key);
    return of === undefined || unit !== 'percent' ? [] : (unitAt(asked, rows, of) ?? []);
  });
  const { say } = wordsFor(asked.store);
  return Object.entries(RECORDED).flatMap(([unit, said]) => (units.includes(unit) ? [say(said)] : []));
}

function whichRevenue(asked: Asked, rows: string, key: string): Saying[] {
  const { definition: written = '', revenue, unit } = fieldAt(asked, rows, key);
  if (unit !== 'money' || !key.includes('revenue')) return [];
  const meaning = asked.meanings?.[key];
  if (meaning !== undefined) return [meaning];
  const { means } = asked.called?.[key] ?? {};
  if (means !== undefined) return [`${nameOf(asked, rows, key)}: ${means}`];
  const said = inWords(written).replace(/\.$/, '');
  const whose = revenue === 'of the store' ? "; the store's own revenue" : '';
  const definition = `${said.replace(/^[A-Z](?![A-Z])/, (first) => first.toLowerCase())}${whose}.`;
  if (wordsFor(asked.store).language === 'en') return [`${nameOf(asked, rows, key)}: ${definition}`];
  return [{ english: capitalised(definition) }];
}

/**
 * The words for what rows are grouped by, as “ by mailbox provider”: the caller's choice, else the field that
 * names them; empty if their names say it.
 */
export function groupWords(
  { args, answer }: Asked,
  { label, groupedBy = '' }: { readonly label: Label; readonly groupedBy?: string },
  rows: readonly Row[],
): string {
  const asked = answer[groupedBy] ?? args[groupedBy];
  const keys = [label[0] ?? []].flat();
  const named = keys.find((key) => rows.some(({ row }) => row[key] != null)) ?? 'name';
  const of = typeof asked === 'string' ? asked : named.replace(/^from_|_name$/, '');
  return ['name', 'key', 'label', 'period', 'none'].includes(of) ? '' : ` by ${wordsOf(of)}`;
}
