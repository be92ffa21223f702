import type { Person } from '../oauth/person.ts';
import type { Page } from './cookie-browser.ts';

/** A file as a form sends it: its name, and what it holds. */
export type FileOfForm = readonly [name: string, content: string | Uint8Array<ArrayBuffer>];

/** Brings files, which are checked at once, and gives the page of what that came to. */
export async function bringFiles(person: Person, url: string, files: readonly FileOfForm[]): Promise<Page> {
  return untilEnded(person, await sendFiles(person, url, files));
}

/** Brings files, and gives the answer, which leads to the page where their check is under way. */
export function sendFiles(person: Person, url: string, files: readonly FileOfForm[]): Promise<Page> {
  const form = new FormData();
  for (const [name, content] of files) form.append('files', new Blob([content]), name);
  return person.browser.upload(url, form);
}

/** Sends the form of a page, and waits until the work that it begins has ended. */
export async function work(
  person: Person,
  page: Page,
  what: 'check' | 'publish',
  fields: Readonly<Record<string, string>> = {},
): Promise<Page> {
  const begun = await person.browser.submit(page, fields, `/${what}`);
  return untilEnded(person, begun);
}

/** Looks less and less often: a page costs work that the import waits for. */
export async function untilEnded(person: Person, begun: Page): Promise<Page> {
  let current = await person.browser.follow(begun);
  for (let wait = 50; isAtWork(current); wait = Math.min(wait * 2, 800)) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    current = await person.browser.get(current.url);
  }
  return current;
}

export function isAtWork({ text }: Page): boolean {
  return /<h1>(About to begin|Waiting for other imports|Checking the files|Publishing|Saving the settings)<\/h1>/.test(
    text,
  );
}

export function titleOf({ text }: Page): string | undefined {
  return /<h1>(.*?)<\/h1>/.exec(text)?.[1];
}
