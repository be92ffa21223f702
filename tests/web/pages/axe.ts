import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Elements whose colours axe cannot judge, and that it reports as incomplete. */
const IGNORED = {
  /** A store that is scrolled out of view. */
  scrolledStore: /^li:nth-child/,
  /** Text over a picture, and cells that are scrolled out of view. */
  pictureOrCell: /^<(text|tspan|td|th)\b/,
  /** The second line of such a cell. */
  smallInCell: /> t[dh]\S* > small$/,
  /** A mark such as an arrow, which is no letter. */
  noLetters: /only non-text characters/,
} as const;

/** The violations that axe finds on a page, one line each. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(`window.axe === undefined && (() => { ${axe.source} })()`);
  const results = await page.evaluate<axe.AxeResults>(
    `axe.run({ exclude: ['.businesses li:nth-child(n + 9)'] }, { resultTypes: ['violations', 'incomplete'], runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })`,
  );
  // axe must have judged colours. What it could not judge is a violation too, unless it is in IGNORED.
  if (!results.passes.some(({ id }) => id === 'color-contrast')) throw new Error('axe read no colour');
  const unread = results.incomplete
    .filter(({ id }) => id === 'color-contrast')
    .map((rule) => ({
      ...rule,
      nodes: rule.nodes.filter(
        ({ target, html, failureSummary }) =>
          !IGNORED.scrolledStore.test(String(target)) &&
          !IGNORED.pictureOrCell.test(html) &&
          !IGNORED.smallInCell.test(String(target)) &&
          !IGNORED.noLetters.test(failureSummary ?? ''),
      ),
    }));
  return [...results.violations, ...unread].flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target}: ${failureSummary}`),
  );
}
