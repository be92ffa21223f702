import { unitWord } from '../charts/field-words.ts';
import type { BarPanel, Figure, Saying, Value } from '../charts/figure.ts';
import { formatNumber, formatShort } from '../charts/number-format.ts';
import type { Messages } from '../messages/messages.ts';
import type { Card, List, Overview } from './overview.ts';
import type { Days } from './page-periods.ts';

/**
 * One card or list of the page as a picture of its own: along time where that is known, else bars.
 *
 * @param key of the card or the list, as in addresses
 * @returns null where the page has no such part, or nothing is known of it
 */
export function pictureOf(overview: Overview, key: string, messages: Messages): Figure | null {
  const card = overview.cards.find((one) => one.key === key);
  if (card !== undefined)
    return (
      card.trend?.figure ?? figureOf(cardPanels(card, overview, messages), card.name, overview, messages)
    );
  const list = overview.lists.find((one) => one.key === key);
  return list === undefined ? null : figureOf(listPanels(list, overview), list.title, overview, messages);
}

function figureOf(
  panels: readonly BarPanel[],
  title: string,
  { store, days, asked }: Overview,
  messages: Messages,
): Figure | null {
  if (panels.length === 0) return null;
  const filters = asked.filters.map(({ value }) => value);
  return {
    title,
    subtitle: [store.name, daysInWords(days, messages), ...filters],
    panels,
    notes: [],
    words: messages,
  };
}

function daysInWords({ from_date, to_date }: Days, messages: Messages): string {
  return messages.days(from_date, to_date);
}

/** The number beside that of before. */
function cardPanels(card: Card, overview: Overview, messages: Messages): readonly BarPanel[] {
  const { key, name, unit, definition, value, before } = card;
  if (value === null) return [];
  const bar = (days: Days, number: number, at: string) => ({
    label: daysInWords(days, messages),
    value: drawnValue(number, unit, `${key}.${at}`, overview),
  });
  const bars = [
    bar(overview.days, value, 'value'),
    ...(before === null || overview.before === null ? [] : [bar(overview.before, before, 'before')]),
  ];
  return [panelOf({ name, unit }, bars, overview, [definition])];
}

/** Each column apart: money and pieces have no scale in common. */
function listPanels({ key, columns, rows }: List, overview: Overview): readonly BarPanel[] {
  return columns.map((column, index) => {
    const bars = rows.map(({ label, values }, row) => {
      const number = values[index] ?? null;
      const at = `${key}.${row}.${index}`;
      return { label, value: number === null ? null : drawnValue(number, column.unit, at, overview) };
    });
    return panelOf(column, bars, overview, []);
  });
}

function panelOf(
  { name, unit }: { readonly name: string; readonly unit: string | undefined },
  bars: readonly { readonly label: string; readonly value: Value | null }[],
  { store }: Overview,
  says: readonly Saying[],
): BarPanel {
  const word = unit === 'money' || unit === 'percent' ? unitWord(unit, store.currency) : '';
  return {
    kind: 'bars',
    heading: word === '' ? name : `${name} (${word})`,
    says,
    definitions: [],
    cut: null,
    series: [name],
    groups: bars.map(({ label, value }) => ({ label, isIncomplete: false, times: null, values: [value] })),
  };
}

function drawnValue(value: number, unit: string | undefined, at: string, { store }: Overview): Value {
  const text = formatNumber(Number(value.toFixed(2)), unit, store);
  return { at, value, text, short: formatShort(value, unit, store) ?? text };
}
