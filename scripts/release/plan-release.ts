import { deprecatedUntil, released, releases, unreleased } from './changelog.ts';
import { type Differences, differences, type Surface } from './surface.ts';

export interface ReleasePlan {
  readonly version: string;
  readonly tag: string;
  /** CHANGELOG.md afterwards. */
  readonly changelog: string;
  /** The text of the release's page, in Markdown. */
  readonly notes: string;
  /** Why this may not be released so. */
  readonly problems: readonly string[];
}

/** What is released. */
export interface Candidate {
  readonly changelog: string;
  readonly surface: Surface;
  /** The version and surface of the last release. It is null for the first release. */
  readonly before: { readonly version: string; readonly surface: Surface } | null;
  readonly version: string;
  /** The day, as YYYY-MM-DD. */
  readonly day: string;
}

/** Something that is deprecated goes on working for this many months. */
const DEPRECATED_MONTHS = 6;

/** A release as it would be; nothing is written. */
export function planRelease({ changelog, surface, before, version, day }: Candidate): ReleasePlan {
  const section = unreleased(changelog);
  const changed = before === null ? null : differences(before.surface, surface);
  const problems = [
    ...(section === '' ? ['CHANGELOG.md says nothing of this release below "## Unreleased"'] : []),
    ...versionProblems(version, changelog, changed),
    ...(changed === null ? [] : changeProblems(changed, section, changelog, day)),
  ];
  return {
    version,
    tag: `v${version}`,
    changelog: released(changelog, version, day),
    notes: [section, toolNotes(surface, before?.version ?? null, changed)].filter(Boolean).join('\n\n'),
    problems,
  };
}

function versionProblems(version: string, changelog: string, changed: Differences | null): string[] {
  const [last] = releases(changelog);
  const next = numbersOf(version);
  if (next === null) return [`${version} is not a version like 1.2.3`];
  const previous = last === undefined ? null : numbersOf(last.version);
  if (previous === null) return [];
  if (compareVersions(next, previous) <= 0) return [`${version} does not come after ${last?.version}`];
  if (changed === null) return [];
  const [isMajor, isMinor] = [next[0] > previous[0], next[1] > previous[1] || next[0] > previous[0]];
  // A second number before 1.0.0 stands for what the first one stands for afterwards.
  const mayBreak = previous[0] === 0 ? isMinor : isMajor;
  const most = previous[0] === 0 ? 'second' : 'first';
  return [
    ...(changed.breaking.length > 0 && !mayBreak
      ? [
          `clients can stumble over this release, so the ${most} number must grow: ${changed.breaking.join('; ')}`,
        ]
      : []),
    ...(changed.added.length > 0 && !isMinor
      ? [`tools got something new, so the second number must grow: ${changed.added.join('; ')}`]
      : []),
  ];
}

function changeProblems(changed: Differences, section: string, changelog: string, day: string): string[] {
  const known = deprecatedUntil(changelog, monthsBefore(day, DEPRECATED_MONTHS));
  const sudden = changed.removed.filter((name) => !known.has(name));
  return [
    ...sudden.map(
      (name) =>
        `${name} is removed, and no release that is ${DEPRECATED_MONTHS} months old lists it under "### Deprecated"`,
    ),
    ...(changed.meaning.length > 0 && !/^### Numbers$/m.test(section)
      ? [`definitions changed, and the changelog has no "### Numbers": ${changed.meaning.join('; ')}`]
      : []),
  ];
}

function toolNotes(surface: Surface, since: string | null, changed: Differences | null): string {
  if (changed === null || since === null)
    return `### Tools\n\nThis is the first release. It has ${Object.keys(surface).length} tools.`;
  const lists = [
    ['Clients must be changed where they use', changed.breaking],
    ['New', changed.added],
    ['Described otherwise', changed.meaning],
  ] as const;
  const told = lists.filter(([, list]) => list.length > 0);
  if (told.length === 0) return `### Tools\n\n\`tools/list\` is the same as in ${since}.`;
  const texts = told.map(([title, list]) => `${title}:\n\n${list.map((line) => `- ${line}`).join('\n')}`);
  return `### Tools since ${since}\n\n${texts.join('\n\n')}`;
}

function numbersOf(version: string): [number, number, number] | null {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? [];
  return major === undefined ? null : [Number(major), Number(minor), Number(patch)];
}

function compareVersions(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((number, index) => number !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
}

function monthsBefore(day: string, months: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() - months);
  return date.toISOString().slice(0, 10);
}
