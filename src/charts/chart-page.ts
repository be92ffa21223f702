import { gzipSync } from 'node:zlib';
import type { DescribedCharts } from './described-chart.ts';
import { CHART_STYLES, SCROLL_HINT } from './styles.ts';
import { VIEW_SCRIPT } from './view-script.ts';

/** Only a page that stands alone has a ground of its own: within an app the app's ground shows through. */
const PAGE_STYLES = `
:root{color-scheme:light dark;--edge:light-dark(#c9ced4,#4a525c)}
*{box-sizing:border-box}
body{margin:0;padding:12px;color:var(--color-text-primary,light-dark(#1b1f24,#f0f2f5));font:13px/1.45 var(--font-sans,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif);overflow-wrap:anywhere}
.alone body{background:var(--color-background-primary,light-dark(#fff,#14181d))}
@media print{body{background:#fff}}
[hidden]{display:none!important}
#chart{position:relative;min-height:40px}
#tip{position:absolute;z-index:2;max-width:min(280px,100%);padding:6px 9px;border:1px solid var(--edge);border-radius:6px;background:var(--color-background-primary,light-dark(#fff,#14181d));box-shadow:0 2px 8px #0003;pointer-events:none}
#tip>*{display:block}
#ring{position:absolute;border:2px solid var(--color-ring-primary,light-dark(#1f5fbf,#7fb2ff));border-radius:3px;pointer-events:none}
:focus-visible{outline:3px solid var(--color-ring-primary,light-dark(#1f5fbf,#7fb2ff));outline-offset:2px}
#bar{display:flex;flex-wrap:wrap;gap:8px;align-items:center;margin-top:8px}
button{min-height:32px;padding:4px 12px;border:1px solid var(--color-border-primary,light-dark(#80878f,#8a939d));border-radius:var(--border-radius-md,6px);background:none;color:inherit;font:inherit;cursor:pointer}
button[aria-pressed=true],button[aria-expanded=true]{background:var(--color-background-secondary,light-dark(#eceff3,#2a3038))}
#tables{--paper:var(--color-background-primary,light-dark(#fff,#14181d));overflow:auto;max-height:420px;margin-top:8px;${SCROLL_HINT}}
table{border-collapse:collapse;margin:6px 0 14px;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:4px 0}
th,td{padding:3px 8px;border-bottom:1px solid var(--edge);text-align:right;white-space:nowrap}
thead th{white-space:normal;min-width:70px;overflow-wrap:normal}
th:first-child{text-align:left;white-space:normal;min-width:90px;max-width:45vw;overflow-wrap:break-word}
details{margin-top:10px}
summary{cursor:pointer;min-height:24px}
dt{font-weight:600}dd{margin:0 0 6px}
#notes{padding-left:18px;margin:8px 0}
.late{animation:late 2s step-end}
@keyframes late{from{visibility:hidden}}
#manual{width:100%;height:120px;margin-top:8px}
.only-said{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
@media (pointer:coarse){button,summary{min-height:44px}}
@media (forced-colors:active){#ring,#tip{border-color:Highlight}}
`;

/**
 * The text that stands there until the script removes it, since a host that refuses our script says nothing
 * about it. It appears late, so that nobody sees it where the script runs.
 */
const NO_SCRIPT = 'This app does not let the picture be drawn; the text of the answer is complete.';

/**
 * Unpacks what is in the page and adds it, the script last. It makes no request, although it looks like one.
 */
const UNPACK = `
const { nonce } = document.currentScript;
const parts = ['tools', 'view'].map((id) => document.getElementById(id));
Promise.all(parts.map(async (part) => {
  const bytes = Uint8Array.from(atob(part.textContent), (character) => character.charCodeAt(0));
  const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  const unpacked = document.createElement('script');
  unpacked.id = part.id;
  unpacked.type = part.dataset.type;
  unpacked.nonce = nonce;
  unpacked.textContent = await new Response(text).text();
  return unpacked;
})).then((unpacked) => parts.forEach((part, index) => part.replaceWith(unpacked[index])));
`;

/**
 * The page that a host shows next to an answer: one file with its script, its styles and the charts of each
 * tool. It loads nothing.
 */
export function chartPage(tools: readonly DescribedCharts[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Chart</title>
<style>${PAGE_STYLES}${CHART_STYLES}</style>
</head>
<body>
<main>
<p id="status" role="status" class="late">${NO_SCRIPT}</p>
<div id="chart" tabindex="0" role="group" aria-label="Chart: arrow keys go through its values">
<div id="drawing"></div>
<div id="ring" hidden></div>
<div id="tip" hidden></div>
</div>
<div id="said" class="only-said" aria-live="polite"></div>
<div id="bar" hidden>
<button id="table" type="button" aria-expanded="false" aria-controls="tables">Table</button>
<button id="copy" type="button">Copy as CSV</button>
<button id="compare" type="button" aria-pressed="false" hidden>Compare with the year before</button>
<span id="done" role="status"></span>
</div>
<textarea id="manual" aria-label="The numbers as CSV" readonly hidden></textarea>
<div id="tables" tabindex="0" role="region" aria-label="Table of the same numbers; it scrolls" hidden></div>
<ul id="notes" hidden></ul>
<details id="meaning" hidden><summary>What these numbers mean</summary><dl id="words"></dl></details>
</main>
<script type="application/gzip" id="tools" data-type="application/json">${pack(JSON.stringify(tools))}</script>
<script type="application/gzip" id="view" data-type="text/javascript">${pack(VIEW_SCRIPT)}</script>
<script>${UNPACK}</script>
</body>
</html>
`;
}

function pack(text: string): string {
  return gzipSync(text, { level: 9 }).toString('base64');
}
