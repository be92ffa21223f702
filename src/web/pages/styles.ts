import { CHART_STYLES, SCROLL_HINT } from '../../charts/styles.ts';

/**
 * The style sheet of the pages, including that of pictures. Colours are named once per scheme; tests measure
 * that each pair of text and ground has the contrast of WCAG AA.
 */
export const STYLES = `
:root {
  color-scheme: light dark;
  --ground: #f4f6f4;
  --surface: #ffffff;
  --text: #1b2422;
  --quiet: #4f5c57;
  --line: #d5dcd8;
  --control-line: #74817b;
  --accent: #0b5f55;
  --accent-strong: #084a42;
  --on-accent: #ffffff;
  --danger: #a1261d;
  --danger-ground: #fdecea;
  --warning-ground: #fdf2d6;
  --warning-line: #b37a00;
  --notice-ground: #e2f3ee;
  --code-ground: #eef1ef;
  --focus: #0b5f55;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #101514;
    --surface: #19201e;
    --text: #e7ece9;
    --quiet: #a9b5b0;
    --line: #303a36;
    --control-line: #7f8d87;
    --accent: #6fd0bf;
    --accent-strong: #93e0d2;
    --on-accent: #06231f;
    --danger: #ffa197;
    --danger-ground: #3a1d1a;
    --warning-ground: #362a0f;
    --warning-line: #e0a92e;
    --notice-ground: #12322c;
    --code-ground: #0f1413;
    --focus: #93e0d2;
  }
}

*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  min-height: 100vh;
  display: flex;
  flex-direction: column;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: anywhere;
}
h1, h2, h3 { line-height: 1.25; margin: 0; text-wrap: balance; }
h1 { font-size: 1.75rem; letter-spacing: -0.01em; }
h2 { font-size: 1.15rem; }
h3 { font-size: 1rem; }
p, ul, ol, dl, dd, pre { margin: 0; }
a { color: var(--accent); text-underline-offset: 0.15em; }
a:hover { color: var(--accent-strong); }
b { font-weight: 600; }
code, pre, .address { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.9em; }
code { background: var(--code-ground); padding: 0.1em 0.3em; border-radius: 0.25rem; -webkit-box-decoration-break: clone; box-decoration-break: clone; }

:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 0.25rem; }
main:focus { outline: none; }
.visually-hidden {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
.skip-link { position: absolute; left: 1rem; top: -10rem; padding: 0.75rem 1rem; background: var(--surface); z-index: 1; }
.skip-link:focus { top: 0.5rem; }

.site-header { background: var(--surface); border-bottom: 1px solid var(--line); }
.site-header-line, main, .site-footer { width: 100%; max-width: 44rem; margin: 0 auto; padding-inline: 1rem; }
.site-header-line { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; column-gap: 1.5rem; }
.wordmark { display: flex; align-items: center; gap: 0.5rem; min-height: 3.5rem; color: var(--text); font-weight: 650; font-size: 1.1rem; letter-spacing: -0.01em; text-decoration: none; }
.wordmark svg { color: var(--accent); }
.wordmark-bars { stroke: var(--on-accent); }
nav ul { display: flex; flex-wrap: wrap; column-gap: 1.1rem; padding: 0; list-style: none; }
nav a, .link-button { display: inline-flex; align-items: center; min-height: 2.75rem; min-width: 2.75rem; }
nav a { color: var(--text); text-decoration: none; }
nav a:hover, nav a[aria-current] { color: var(--accent); text-decoration: underline; text-decoration-thickness: 2px; text-underline-offset: 0.4em; }

.narrow .site-header-line, .narrow main, .narrow .site-footer { max-width: 30rem; }
.wide .site-header-line, .wide main, .wide .site-footer { max-width: 72rem; }
.steps { padding-inline-start: 1.6rem; }
.steps .done { color: var(--quiet); list-style-type: "✓  "; }
.headline { font-size: 1.25rem; line-height: 1.35; font-weight: 650; font-variant-numeric: tabular-nums; }
.tabs ul { border-bottom: 1px solid var(--line); }
.periods { display: flex; flex-wrap: wrap; align-items: center; column-gap: 2rem; }
.periods [aria-current] { font-weight: 650; }
.days { display: flex; flex-wrap: wrap; gap: 0.75rem; align-items: end; }
input[type="date"] { min-height: 2.75rem; padding: 0.5rem; border: 1px solid var(--control-line); border-radius: 0.5rem; background: var(--surface); color: inherit; font: inherit; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(9rem, 100%), 1fr)); gap: 0.75rem; }
.figures .card { container-type: inline-size; padding: 0.75rem; }
.figures .card > * + * { margin-top: 0.15rem; }
.figures dt { display: flex; align-items: center; min-height: 2.75rem; color: var(--quiet); font-size: 0.9rem; line-height: 1.3; }
.figure { font-size: clamp(1rem, 11.5cqi, 1.75rem); font-weight: 650; line-height: 1.2; font-variant-numeric: tabular-nums; }
.figures dt a { display: inline-flex; align-items: center; min-height: 2.75rem; min-width: 2.75rem; }
.figures dt a[aria-current] { font-weight: 650; }
.better { color: var(--accent); font-weight: 600; }
.worse { color: var(--danger); font-weight: 600; text-decoration: underline dotted; text-underline-offset: 0.2em; }
.lists small { display: block; color: var(--quiet); font-size: 0.8rem; font-weight: 400; white-space: normal; }
.mark { color: var(--quiet); font-size: 0.8rem; line-height: 1.35; padding-inline-start: 0.5rem; border-inline-start: 3px solid var(--warning-line); }
.sparkline { margin-top: 0.5rem; }
.chart.spark { width: 100%; height: 2rem; }
.spark .line { vector-effect: non-scaling-stroke; stroke-linecap: round; }
.nowrap { white-space: nowrap; }
.lists { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(24rem, 100%), 1fr)); gap: 1rem; align-items: start; }
.lists > .card { container-type: inline-size; }
.lists table { width: 100%; }
.lists th a { display: inline-flex; align-items: center; min-height: 2.75rem; min-width: 2.75rem; margin-block: -0.25rem; }
.lists thead th { white-space: normal; overflow-wrap: normal; vertical-align: bottom; }
.lists .wide-table th:first-child { min-width: 9rem; overflow-wrap: break-word; }
main { flex: 1; padding-block: 2rem 3rem; display: flex; flex-direction: column; gap: 1.25rem; }
.lead { color: var(--quiet); font-size: 1.05rem; }
h1 + .lead { margin-top: -0.75rem; }
.lead strong { color: var(--text); }
main > h2 { margin-top: 0.75rem; }
.site-footer { color: var(--quiet); font-size: 0.875rem; padding-block: 1rem 1.5rem; }

.card { background: var(--surface); border: 1px solid var(--line); border-radius: 0.75rem; padding: 1.25rem; display: flow-root; }
.card > * + * { margin-top: 0.75rem; }
.card h3 { margin-top: 1.1rem; }
.stack { display: flex; flex-direction: column; gap: 1.25rem; }
.card.stack > * { margin-top: 0; }
.cards { display: flex; flex-direction: column; gap: 1rem; padding: 0; list-style: none; }
.empty { text-align: center; padding-block: 2.5rem; }
.aside { color: var(--quiet); }
.aside h2 { font-size: 1rem; color: var(--text); }
.hint, .detail { color: var(--quiet); font-size: 0.9rem; }

.message { padding: 0.75rem 1rem; border-radius: 0.5rem; border-inline-start: 4px solid; }
.error { background: var(--danger-ground); border-color: var(--danger); }
.error strong { color: var(--danger); }
.notice { background: var(--notice-ground); border-color: var(--accent); }
.warning { background: var(--warning-ground); border-color: var(--warning-line); }

.field label { display: block; font-weight: 600; }
.field > * + *, .card.field > * + * { margin-top: 0.35rem; }
input[type="email"], input[type="password"], input[type="url"], input[type="text"], input[type="file"], select, textarea {
  display: block;
  width: 100%;
  min-height: 2.75rem;
  padding: 0.5rem 0.75rem;
  border: 1px solid var(--control-line);
  border-radius: 0.5rem;
  background: var(--surface);
  color: inherit;
  font-size: 1rem;
}
input[type="email"], input[type="password"], input[type="text"], input[type="file"], select, textarea { font-family: inherit; }
input[readonly] { background: var(--code-ground); border-color: var(--line); }
input[aria-invalid="true"], select[aria-invalid="true"] { border-color: var(--danger); border-width: 2px; }
.address { user-select: all; }

.button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  min-height: 2.75rem;
  max-width: 100%;
  padding: 0.5rem 1.25rem;
  border: 1px solid var(--control-line);
  border-radius: 0.5rem;
  background: var(--surface);
  color: var(--text);
  font: inherit;
  font-weight: 600;
  text-align: center;
  text-decoration: none;
  cursor: pointer;
}
.button > bdi { margin-inline-start: 0.3em; }
.button:hover { background: var(--code-ground); color: var(--text); }
.button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.button.primary:hover { background: var(--accent-strong); border-color: var(--accent-strong); }
.button.danger { color: var(--danger); border-color: currentColor; }
.button.danger:hover { background: var(--danger-ground); }
.button.wide { width: 100%; }
.link-button { padding: 0; border: 0; background: none; color: var(--accent); font: inherit; text-decoration: underline; text-underline-offset: 0.15em; cursor: pointer; }
nav .link-button { color: var(--text); text-decoration: none; }
.link-button:hover, nav .link-button:hover { color: var(--accent-strong); text-decoration: underline; }
.buttons { display: flex; flex-wrap: wrap; gap: 0.75rem; }
.or { display: flex; align-items: center; gap: 1rem; color: var(--quiet); }
.or::before, .or::after { content: ""; flex: 1; border-top: 1px solid var(--line); }
.signed-in { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; column-gap: 1rem; border-top: 1px solid var(--line); padding-top: 0.75rem; }
.signed-in strong { color: var(--text); }

.facts { display: grid; gap: 0.6rem; }
.facts dt { color: var(--quiet); font-size: 0.9rem; }
.facts dd { font-variant-numeric: tabular-nums; }
.identity dd { font-size: 1.2rem; line-height: 1.3; }
.identity dd bdi { font-weight: 650; }
.can, .cannot { padding-inline-start: 1.6rem; }
.can { list-style-type: "✓  "; }
.cannot { list-style-type: "✕  "; }
.can li + li, .cannot li + li { margin-top: 0.35rem; }
.can li::marker { color: var(--accent); font-weight: 700; }
.cannot li::marker { color: var(--danger); font-weight: 700; }
.names { padding: 0; list-style: none; }

.business-choice { border: 0; margin: 0 0 -0.6rem; padding: 0; min-width: 0; }
.business-choice legend { padding: 0; margin-bottom: 0.35rem; font-size: 1.15rem; font-weight: 700; line-height: 1.25; }
.business-choice .error { margin-block: 0.6rem; }
.choice { display: flex; gap: 0.75rem; align-items: flex-start; min-height: 2.75rem; padding-block: 0.6rem; cursor: pointer; }
.choice input { flex: none; width: 1.25rem; height: 1.25rem; margin: 0.125rem 0 0; accent-color: var(--accent); cursor: pointer; }
.choice > span { min-width: 0; }
.choice .detail { display: block; }
.choice-hint { color: var(--quiet); font-size: 0.9rem; margin: -0.4rem 0 0.35rem 2rem; }
.businesses { list-style: none; margin-inline-start: 2rem; margin-bottom: 0.6rem; padding: 0.25rem 1rem; max-height: 24rem; overflow-y: auto; border: 1px solid var(--line); border-radius: 0.5rem; }
.businesses li + li { border-top: 1px solid var(--line); }
@supports selector(:has(*)) {
  .business-choice:not(:has([value="chosen"]:checked)) .businesses { display: none; }
}

.question { border: 0; margin: 0; padding: 0; min-width: 0; }
.question legend { padding: 0; font-size: 1.05rem; font-weight: 700; }
.question > * + * { margin-top: 0.5rem; }
.files { padding: 0; list-style: none; }
.files li { display: flex; flex-wrap: wrap; align-items: center; column-gap: 1rem; }
.files li + li { border-top: 1px solid var(--line); }
progress { width: 100%; height: 1rem; accent-color: var(--accent); }

details > summary { cursor: pointer; min-height: 2.75rem; padding-block: 0.6rem; }
.guides { display: flex; flex-direction: column; gap: 0.75rem; }
.guide { padding: 0.25rem 1.25rem; }
.guide ol { padding-inline-start: 1.25rem; }
.guide[open] { padding-bottom: 1.25rem; }
.guide li + li { margin-top: 0.75rem; }
.copyable { margin-top: 0.4rem; padding: 0.6rem 0.75rem; background: var(--code-ground); border: 1px solid var(--line); border-radius: 0.5rem; white-space: pre-wrap; }
.copyable code { display: block; padding: 0; background: none; user-select: all; font-size: inherit; }
.on-medium, .on-wide, .on-widest { display: none; }
.along .chart { width: 100%; height: auto; }
.wide-table { --paper: var(--surface); overflow-x: auto; ${SCROLL_HINT} }
.wide-table table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
.wide-table caption { background: var(--surface); padding-block: 0.5rem; text-align: start; font-weight: 700; }
.wide-table :is(th, td) { padding: 0.25rem 0.6rem; border-bottom: 1px solid var(--line); text-align: end; white-space: nowrap; }
.wide-table th:first-child { background: var(--surface); min-width: 6rem; text-align: start; white-space: normal; overflow-wrap: anywhere; }
.ranking :is(th, td) { padding-inline: 0.4rem; }
.ranking td { white-space: normal; overflow-wrap: normal; }

@media (min-width: 32rem) and (max-width: 45.99rem) {
  .on-medium { display: block; }
  .along .on-narrow { display: none; }
}
@media (max-width: 31.99rem) {
  .figures .nowrap { white-space: normal; }
  ${nameAbove('.ranking')}
}
@media screen {
  @container (max-width: 28rem) { ${nameAbove('.ranking:has(td:nth-child(4))')} }
}
@media (min-width: 46rem) {
  .on-wide { display: block; }
  .on-narrow { display: none; }
}
@media (min-width: 46rem) {
  .figures { grid-template-columns: repeat(4, 1fr); }
  .figures .card { padding: 1rem; }
}
@media (min-width: 73rem) {
  .on-widest { display: block; }
  .on-wide-only { display: none; }
}
@media (min-width: 40rem) {
  main { padding-block: 3rem 4rem; }
  .card { padding: 1.5rem; }
  .guide { padding: 0.25rem 1.5rem; }
  .guide[open] { padding-bottom: 1.5rem; }
  .facts > div { display: grid; grid-template-columns: 12rem 1fr; gap: 1rem; align-items: baseline; }
}
@media (prefers-reduced-motion: no-preference) {
  .button { transition: background-color 120ms ease; }
}
@media print {
  .site-header, .site-footer, .no-print, .tabs, .skip-link, details:not([open]) { display: none; }
  @page { size: A4; margin: 8mm; }
  html { font-size: 7.4pt; }
  body { background: none; line-height: 1.3; }
  main { gap: 0.4rem; padding: 0; }
  h1 { font-size: 13pt; }
  h2, .wide-table caption { font-size: 9pt; padding: 0; }
  .wide main { max-width: none; padding: 0; }
  .card, .figures .card { break-inside: avoid; padding: 0.35rem 0.5rem; }
  .card > * + *, .figures .card > * + * { margin-top: 0.1rem; }
  .figures { grid-template-columns: repeat(4, 1fr); gap: 0.4rem; }
  .figures dt, .figures dt a, .lists th a { min-height: 0; margin: 0; color: inherit; text-decoration: none; }
  .figure { font-size: 12pt; }
  .sparkline { display: none; }
  .mark { line-height: 1.2; }
  .lists { display: block; columns: 3; column-gap: 0.4rem; }
  .lists > .card { margin-bottom: 0.4rem; }
  .lists .wide-table :is(th, td) { padding: 0 0.2rem; font-size: 0.85rem; line-height: 1.2; }
  .lists .wide-table th:first-child { min-width: 0; }
  .wide-table { overflow: visible; background: none; }
  .on-wide { display: block; }
  .on-narrow, .on-widest { display: none; }
  .along .on-wide, .along .on-narrow, .along .on-medium { display: none; }
  .along .on-widest { display: block; }
  .on-wide .chart { width: 100%; max-height: 3.4cm; }
  ul, ol { padding-inline-start: 1rem; }
}
@media (forced-colors: active) {
  .button, .message, .card { border: 1px solid; }
}
${CHART_STYLES}`;

/** Rows of a table whose name takes a line of its own, with the numbers below it. */
function nameAbove(table: string): string {
  return `
  ${table} tr { display: flex; flex-wrap: wrap; border-bottom: 1px solid var(--line); }
  ${table} :is(th, td) { flex: 1 1 0; padding: 0.25rem; border: 0; white-space: normal; font-size: 0.9rem; }
  ${table} :is(th, td):nth-child(2) { flex-grow: 1.6; }
  ${table} th:first-child { flex: 0 0 100%; font-size: 1rem; }
  ${table} thead th:first-child { display: none; }`;
}
