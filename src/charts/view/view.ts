import {
  aboutOf,
  answerOf,
  findTool,
  type HostContext,
  isLeftOut,
  type Json,
  type ToolResult,
} from '../answered.ts';
import type { DescribedCharts } from '../described-chart.ts';
import { drawFigure } from '../draw/draw-figure.ts';
import { type DrawnStore, NO_HOST, readerLocale } from '../drawn-store.ts';
import type { Figure } from '../figure.ts';
import { csvOf, tablesHtml } from '../figure-table.ts';
import { askedHeight } from '../inline-height.ts';
import { noteInWords } from '../notes-in-words.ts';
import type { Asked } from '../read/asked-question.ts';
import { readFigure } from '../read-figure.ts';
import { yearBefore } from '../year-before.ts';
import { Host } from './host.ts';
import { Pointer } from './pointer.ts';

/** The page in a conversation: it waits for the answer of a tool, and draws it. */

const element = <Kind extends HTMLElement = HTMLElement>(id: string) => document.getElementById(id) as Kind;
const [chart, drawing, tables, bar] = [
  element('chart'),
  element('drawing'),
  element('tables'),
  element('bar'),
];
const [status, table, copy, compare] = [
  element('status'),
  element('table'),
  element('copy'),
  element('compare'),
];
const [meaning, notes, manual] = [
  element('meaning'),
  element('notes'),
  element<HTMLTextAreaElement>('manual'),
];
const pointer = new Pointer(chart, { tip: element('tip'), said: element('said'), ring: element('ring') });

const tools: readonly DescribedCharts[] = JSON.parse(element('tools').textContent ?? '[]');

// A page in a tab of its own has its own ground.
document.documentElement.classList.toggle('alone', parent === window);

// Until this script runs, the page says that it cannot draw.
status.className = '';
tell('Waiting for the answer …');

let context: HostContext = {};
let args: Json = {};
let result: ToolResult | null = null;
let asked: Asked | null = null;
let figure: Figure | null = null;
let drawnWidth = 0;
let told = '';

const host = new Host({
  context(changed) {
    context = { ...context, ...changed };
    dress();
    if (changed.locale !== undefined) show();
    adjust();
    if (changed.toolInfo !== undefined && asked === null) read().catch(failed);
  },
  input(given) {
    args = given;
    if (asked !== null) read().catch(failed);
  },
  result(given) {
    result = given;
    read().catch(failed);
  },
  cancelled: () => tell('The question was cancelled.'),
});

/** Uses the colours and fonts of the host, if it sends them; nothing is loaded. */
function dress(): void {
  const root = document.documentElement;
  if (context.theme !== undefined) root.style.colorScheme = context.theme;
  for (const [name, value] of Object.entries(context.styles?.variables ?? {})) {
    if (/^--[\w-]+$/.test(name) && value !== undefined) root.style.setProperty(name, value);
  }
}

function tell(text: string): void {
  status.textContent = text;
  status.hidden = text === '';
}

/** The answer itself stands in the conversation, whatever failed here. */
function failed(): void {
  tell('The picture could not be drawn; the text of the answer is complete.');
}

async function read(): Promise<void> {
  if (result === null) return;
  if (result.isError === true) {
    tell(result.content?.[0]?.text ?? 'The question could not be answered.');
    return;
  }
  let answered = result;
  let given = args;
  const described = findTool(tools, aboutOf(answered)?.tool, context, answerOf(answered));
  // A host that strips the answer, or what is said about the store, still passes the same question on, or one
  // for all of a long answer.
  const isShort = isLeftOut(answerOf(answered));
  if (
    (isShort || answerOf(answered) === null || aboutOf(answered) === null) &&
    described !== undefined &&
    host.canCall
  ) {
    const whole = isShort ? { ...args, format: 'table' } : args;
    const again = await host.call(described.tool, whole).catch(() => null);
    if (again !== null && again.isError !== true && answerOf(again) !== null) {
      answered = again;
      given = whole;
    }
  }
  const answer = answerOf(answered);
  if (answer === null || described === undefined) {
    tell('There is no picture of this answer; its text is complete.');
    return;
  }
  asked = { described, args: given, answer, store: aboutOf(answered) ?? unknownStore() };
  tell('');
  show();
}

/** A store without a known name and currency: they are not guessed. */
function unknownStore(): DrawnStore {
  return {
    name: '',
    currency: null,
    timezone: 'UTC',
    locale: NO_HOST,
    data_until: null,
    history_starts_at: null,
  };
}

/** The same question, with numbers written as the host's reader does. */
function forReader(one: Asked): Asked {
  return { ...one, store: { ...one.store, locale: readerLocale(context.locale) } };
}

function show(): void {
  if (asked === null) return;
  figure = readFigure(forReader(asked));
  const hasNumbers = figure.panels.length > 0;
  draw();
  fillTables();
  bar.hidden = !hasNumbers;
  const canCompare =
    figure.panels.some(({ kind }) => kind === 'line') && host.canCall && yearBefore(asked.args) !== null;
  compare.hidden =
    !canCompare || asked.described.charts.some((one) => one.kind === 'line' && one.by !== undefined);
  const definitions = new Map(
    figure.panels.flatMap((panel) => panel.definitions).map((one) => [one.label, one.text]),
  );
  element('words').replaceChildren(
    ...[...definitions].flatMap(([label, text]) => [written('dt', label), written('dd', text)]),
  );
  meaning.hidden = definitions.size === 0;
  const { answer, store } = forReader(asked);
  const said = (Array.isArray(answer.notes) ? answer.notes : []).flatMap(
    (note) => noteInWords(String(note), store) ?? [],
  );
  notes.replaceChildren(...said.map((note) => written('li', note)));
  notes.hidden = said.length === 0;
}

function written(name: string, text: string): HTMLElement {
  const made = document.createElement(name);
  made.textContent = text;
  return made;
}

function draw(): void {
  if (figure === null) return;
  drawnWidth = Math.max(280, Math.floor(drawing.clientWidth));
  const { svg, spots } = drawFigure(figure, { width: drawnWidth });
  drawing.innerHTML = svg;
  // The page itself shows what is pointed at, so the browser's own titles are removed.
  for (const title of drawing.querySelectorAll('svg > g :not(text) > title')) title.remove();
  pointer.use(spots);
}

/** Thousands of rows take longer than the picture, so a table is built when somebody opens it. */
function fillTables(): void {
  tables.innerHTML = figure === null || tables.hidden ? '' : tablesHtml(figure);
}

table.addEventListener('click', () => {
  tables.hidden = !tables.hidden;
  fillTables();
  table.setAttribute('aria-expanded', String(!tables.hidden));
});

async function copyAll(): Promise<void> {
  if (figure === null) return;
  const csv = csvOf(figure);
  // First the old way, which needs no permission of the host.
  const isCopied =
    copySelected(csv) ||
    (await navigator.clipboard?.writeText(csv).then(
      () => true,
      () => false,
    ));
  if (isCopied === true) {
    said('Copied.');
    return;
  }
  // If the host allows neither, a person can copy the text.
  manual.value = csv;
  manual.hidden = false;
  manual.focus();
  manual.select();
  said('Press Ctrl+C or ⌘C.');
}

function said(text: string): void {
  element('done').textContent = text;
}

function copySelected(csv: string): boolean {
  manual.value = csv;
  manual.hidden = false;
  manual.select();
  const isCopied = document.execCommand('copy');
  manual.hidden = isCopied;
  if (isCopied) copy.focus();
  return isCopied;
}

async function compareAll(): Promise<void> {
  if (asked === null) return;
  const before = yearBefore(asked.args);
  if (asked.compared !== undefined || before === null) {
    const { compared: _none, ...alone } = asked;
    asked = alone;
  } else {
    said('Asking for the year before …');
    const answered = await host.call(asked.described.tool, before).catch(() => null);
    const answer = answered === null || answered.isError === true ? null : answerOf(answered);
    if (answer === null) {
      said('The year before could not be asked for.');
      return;
    }
    asked = { ...asked, compared: { args: before, answer } };
  }
  compare.setAttribute('aria-pressed', String(asked.compared !== undefined));
  show();
  said(asked.compared === undefined ? '' : 'The year before is the dotted line.');
}

copy.addEventListener('click', () => {
  copyAll().catch(failed);
});
compare.addEventListener('click', () => {
  compareAll().catch(failed);
});

function adjust(): void {
  if (figure !== null && Math.max(280, Math.floor(drawing.clientWidth)) !== drawnWidth) draw();
  const { width, height } = document.body.getBoundingClientRect();
  const size = [Math.ceil(width), askedHeight(Math.ceil(height), context)] as const;
  if (String(size) === told) return;
  told = String(size);
  host.tellSize(...size);
}

new ResizeObserver(adjust).observe(document.body);
host.connect().then(() => {
  told = '';
  adjust();
}, failed);
