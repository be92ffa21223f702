import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** What axe finds of a page, a line for each. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(`window.axe === undefined && (() => { ${axe.source} })()`);
  const results = await page.evaluate<axe.AxeResults>(
    `axe.run({ exclude: ['.businesses li:nth-child(n + 9)'] }, { resultTypes: ['violations', 'incomplete'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })`,
  );
  // It ran at all, and could read the colours; only not of stores and cells that are scrolled away, nor what lies behind letters of a picture, nor
  // the colours of a mark such as an arrow, which is no letter.
  if (!results.passes.some(({ id }) => id === 'color-contrast')) throw new Error('axe read no colour');
  const unread = results.incomplete
    .filter(({ id }) => id === 'color-contrast')
    .map((rule) => ({
      ...rule,
      nodes: rule.nodes.filter(
        ({ target, html, failureSummary }) =>
          !/^li:nth-child/.test(String(target)) &&
          !/^<(text|tspan|td|th)\b/.test(html) &&
          !/> t[dh]\S* > small$/.test(String(target)) &&
          !/only non-text characters/.test(failureSummary ?? ''),
      ),
    }));
  return [...results.violations, ...unread].flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target}: ${failureSummary}`),
  );
}
