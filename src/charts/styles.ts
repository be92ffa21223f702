/**
 * The styles of pictures. Colours follow the host's or the page's; each pair has a contrast of 4.5 for text
 * and 3 for lines.
 */
export const CHART_STYLES = `
.chart{--ink:var(--color-text-primary,light-dark(#1b1f24,#f0f2f5));--soft:var(--color-text-secondary,light-dark(#545b64,#b4bac2));--edge:light-dark(#c9ced4,#4a525c);--c0:light-dark(#1f5fbf,#7fb2ff);--c1:light-dark(#b04a00,#ffa861);--c2:light-dark(#0b7a55,#5fd0a5);--c3:light-dark(#8b3a9c,#dd9bee);--c4:light-dark(#7a6200,#e0c65a);--c5:light-dark(#b0264b,#ff8fab);--paper:var(--color-background-primary,light-dark(#fff,#14181d));--past:light-dark(#737b85,#9aa3ad);font-family:var(--font-sans,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif);display:block;max-width:100%}
.chart text{fill:var(--ink);font-size:12px}
.chart .title{font-size:17px;font-weight:600}
.chart .heading{font-size:13px;font-weight:600}
.chart .subtitle,.chart .axis,.chart .note,.chart .why{fill:var(--soft)}
.chart .axis,.chart .note,.chart .why{font-size:11px}
.chart .why{font-style:italic}
.chart .value{paint-order:stroke;stroke:var(--paper);stroke-width:3px;stroke-linejoin:round}
.chart .told{font-size:10.5px}
.chart .guide{stroke:var(--edge);stroke-dasharray:2 3}
.chart .zero{stroke:var(--soft);stroke-width:1}
.chart .hatch{stroke:var(--soft);stroke-width:1.5;opacity:.55}
.chart .hatch-lit{stroke:var(--paper);stroke-width:3}
.chart .band{opacity:.7}
.chart .ahead{fill:var(--soft);opacity:.08}
.chart .line{fill:none;stroke:var(--c);stroke-width:2;stroke-linejoin:round}
.chart .lead{fill:none;stroke:var(--c);stroke-width:1;opacity:.6}
.chart text.end{fill:var(--c)}
.chart .open{stroke-dasharray:5 4}
.chart .line.second{stroke-dasharray:14 3}
.chart .dot{fill:var(--c)}
.chart .dot.second{fill:var(--paper);stroke:var(--c);stroke-width:1.5}
.chart .bar{fill:var(--c)}
.chart .hollow{fill:var(--paper);stroke:var(--c,var(--edge));stroke-width:1.5}
.chart .state{fill:var(--c1)}
.chart .bound{stroke:var(--c);stroke-width:5;opacity:.45}
.chart .ribbon{fill:var(--c);opacity:.35}
.chart .node{fill:var(--soft)}
.chart .c0{--c:var(--c0)}.chart .c1{--c:var(--c1)}.chart .c2{--c:var(--c2)}.chart .c3{--c:var(--c3)}.chart .c4{--c:var(--c4)}.chart .c5{--c:var(--c5)}.chart .compared{--c:var(--past)}
.chart .line.compared{stroke-dasharray:2 3}
.chart .none{fill:none;stroke:var(--edge);stroke-dasharray:2 2}
.chart .q0{fill:light-dark(#f1f4f8,#262b32)}.chart .q1{fill:light-dark(#e0eafa,#233044)}.chart .q2{fill:light-dark(#c6d9f5,#24405f)}.chart .q3{fill:light-dark(#a9c6f0,#28527f)}.chart .q4{fill:light-dark(#8ab2ea,#2f659e)}.chart .q5{fill:light-dark(#2f6bbd,#6aa3e8)}.chart .q6{fill:light-dark(#1f559e,#8fbcf2)}.chart .q7{fill:light-dark(#123c74,#bcd8fb)}
.chart .on-light{fill:light-dark(#14181d,#f5f7fa)}
.chart .on-dark{fill:light-dark(#fff,#0d1116)}
@media (forced-colors:active){.chart{--ink:CanvasText;--soft:CanvasText;--edge:GrayText;forced-color-adjust:auto}.chart .bar,.chart .dot{fill:CanvasText}.chart .bar.c1{fill:Canvas;stroke:CanvasText}.chart .bar.c2{fill:GrayText}.chart .hollow{fill:Canvas;stroke:CanvasText}.chart .value{stroke:none}.chart .line.c1{stroke-dasharray:9 3}.chart .line.c2{stroke-dasharray:3 3}.chart .line.c3{stroke-dasharray:9 3 3 3}.chart .line.c4{stroke-dasharray:1 4}.chart .line.c5{stroke-dasharray:18 4}}
@media (prefers-contrast:more){.chart{--soft:var(--ink);--edge:var(--soft)}.chart .line{stroke-width:3}}
`;

/**
 * The style of a scrolling box: a shadow at each edge behind which there is more. `--paper` is its ground.
 */
export const SCROLL_HINT = `--more:light-dark(#0005,#fff6);background:linear-gradient(to right,var(--paper) 50%,#0000) 0 0/28px 100% local,linear-gradient(to left,var(--paper) 50%,#0000) 100% 0/28px 100% local,linear-gradient(to bottom,var(--paper) 50%,#0000) 0 0/100% 28px local,linear-gradient(to top,var(--paper) 50%,#0000) 0 100%/100% 28px local,linear-gradient(to right,var(--more),#0000) 0 0/12px 100% scroll,linear-gradient(to left,var(--more),#0000) 100% 0/12px 100% scroll,linear-gradient(to bottom,var(--more),#0000) 0 0/100% 12px scroll,linear-gradient(to top,var(--more),#0000) 0 100%/100% 12px scroll;background-repeat:no-repeat;background-color:var(--paper)`;

/** The styles of a picture in its own file. */
export const PAPER_STYLES = `svg{color-scheme:light dark}.paper{fill:light-dark(#fff,#14181d)}`;
