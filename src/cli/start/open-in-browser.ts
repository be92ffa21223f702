import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Machine } from '../connect/client-apps.ts';

/**
 * Opens the browser of the person at this machine, where there is one.
 * The address may hold a link that anybody can use, and everybody on the machine sees the arguments of a
 * program. So the browser is given a page of our own that only this user may read, and that leads to the
 * address.
 *
 * @param page where to write that page
 * @returns whether a browser was started; if not, the person opens the address by hand
 */
export async function openInBrowser(
  url: string,
  page: string,
  { platform, env }: Pick<Machine, 'platform' | 'env'>,
): Promise<boolean> {
  const [program, ...args] = openerOf(platform);
  if (platform === 'linux' && !env.DISPLAY && !env.WAYLAND_DISPLAY) return false;
  writeFileSync(page, leadingTo(url), { mode: 0o600 });
  try {
    const opener = spawn(program, [...args, pathToFileURL(page).href], { stdio: 'ignore', detached: true });
    await once(opener, 'spawn');
    opener.unref();
    return true;
  } catch {
    return false;
  }
}

function openerOf(platform: NodeJS.Platform): readonly [string, ...string[]] {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}

function leadingTo(url: string): string {
  const address = url.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return `<!doctype html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0;url=${address}">
<title>Storesight</title>
<p><a href="${address}">Go to Storesight</a></p>
`;
}
