const UNRELEASED = '## Unreleased\n';

/** What CHANGELOG.md says of the next release, without its heading. */
export function unreleased(changelog: string): string {
  const at = changelog.indexOf(UNRELEASED);
  if (at < 0) throw new Error('CHANGELOG.md has no line "## Unreleased"');
  const rest = changelog.slice(at + UNRELEASED.length);
  const end = rest.search(/^## /m);
  return (end < 0 ? rest : rest.slice(0, end)).trim();
}

/** CHANGELOG.md after the release: what was unreleased has its version and day, and the next begins empty. */
export function released(changelog: string, version: string, day: string): string {
  const section = unreleased(changelog);
  const at = changelog.indexOf(UNRELEASED);
  const rest = changelog.slice(at + UNRELEASED.length).trimStart();
  const later = rest.slice(section.length).trimStart();
  const parts = [`${changelog.slice(0, at)}${UNRELEASED}`, `## ${version} (${day})`, section, later];
  return `${parts
    .filter((part) => part.trim() !== '')
    .map((part) => part.trimEnd())
    .join('\n\n')}\n`;
}

/** The version and day of each release, the newest first. */
export function releases(changelog: string): { version: string; day: string }[] {
  return [...changelog.matchAll(/^## (\d+\.\d+\.\d+) \((\d{4}-\d{2}-\d{2})\)$/gm)].map(
    ([, version = '', day = '']) => ({ version, day }),
  );
}

/** The names under "### Deprecated" of releases until that day: `tool`, or `tool.field`. */
export function deprecatedUntil(changelog: string, day: string): ReadonlySet<string> {
  const sections = changelog.split(/^(?=## )/m).filter((section) => {
    const [, of] = /^## \d+\.\d+\.\d+ \((\d{4}-\d{2}-\d{2})\)/.exec(section) ?? [];
    return of !== undefined && of <= day;
  });
  const names = sections.flatMap((section) => {
    const [, text = ''] = /^### Deprecated\n([\s\S]*?)(?=^### |$(?![\s\S]))/m.exec(section) ?? [];
    return [...text.matchAll(/^- `([^`]+)`/gm)].map(([, name = '']) => name);
  });
  return new Set(names);
}
