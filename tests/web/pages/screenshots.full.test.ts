import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { launchBrowser } from '../../support/browser.ts';
import { servePages } from './page-server.ts';
import { PAGE_STATES } from './page-states.ts';

const FOLDER = process.env.STORESIGHT_SCREENSHOTS;
const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } };

/** To look at: `STORESIGHT_SCREENSHOTS=/tmp/screens vitest run tests/web/pages/screenshots.test.ts`. */
test.skipIf(FOLDER === undefined)(
  'takes a picture of every page (skipped unless STORESIGHT_SCREENSHOTS)',
  async () => {
    const folder = FOLDER ?? '';
    await mkdir(folder, { recursive: true });
    const server = await servePages();
    const browser = await launchBrowser();
    try {
      for (const [size, viewport] of Object.entries(SIZES)) {
        for (const colorScheme of ['light', 'dark'] as const) {
          const page = await browser.newPage({ viewport, colorScheme });
          for (const name of Object.keys(PAGE_STATES)) {
            await page.goto(`${server.url}/${name}`);
            if (name.startsWith('connect-')) {
              for (const summary of await page.locator('summary').all()) await summary.click();
            }
            const path = join(folder, `${name}-${size}-${colorScheme}.png`);
            expect((await page.screenshot({ path, fullPage: true })).byteLength).toBeGreaterThan(0);
          }
          await page.close();
        }
      }
    } finally {
      await browser.close();
      await server.close();
    }
  },
);
