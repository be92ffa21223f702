/**
 * Checks that no regular expression in `src` takes more than linear time, whatever text it is given: `/\s+$/`
 * begins anew at each blank of a run that something follows, so that a header of 20 KB took 13 seconds.
 * `recheck` tells by the automaton of a pattern.
 *
 * What it told of a pattern is remembered in node_modules/.cache, since all of them take half a minute.
 */
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { checkSync } from 'recheck';
import { parseAst } from 'rolldown/parseAst';

/**
 * Patterns that are given no long text of a stranger, or are slow by a bounded factor alone. Each with its
 * reason.
 */
const EXCEPTIONS: ReadonlyMap<string, string> = new Map([
  [
    String.raw`[\w.+-]{1,64}(?:@|%40|&#64;|&commat;)(?!\dx\.)(?:[a-z\d-]{1,63}\.){1,8}[a-z][a-z\d-]{1,23}`,
    'every repetition has a limit: 64 steps for a character at most',
  ],
  [String.raw`^(.{1,10}?)\1+.{0,4}$`, 'passwords, of at most 1000 characters'],
  [String.raw`\.?0+$`, 'a number of DuckDB'],
  [String.raw`\.?0*$`, 'a moment of ClickHouse'],
  ['^0{1,50}|0{1,50}$', 'a decimal of DuckDB, of at most 40 characters'],
  [String.raw`("(?:[^"\\]|\\.)*")`, 'a note of ours, of a few sentences'],
  [String.raw`('(?:[^']|'')*'|"(?:[^"]|"")*")|(?:--[^\n]*|\/\*[\s\S]*?\*\/|\s)+`, 'SQL of ours'],
  [
    '^(Business data|In UTC|As (named|loaded|set up|other tools take it)|(.*, )?as asked)(: .*)?(; null: .*)?$',
    'definitions of ours',
  ],
  [String.raw`\.[a-z.]+$`, 'the name of a file on a disk, of at most 255 bytes'],
  [String.raw`\/+$`, "a setting of the server's operator"],
  [String.raw`\(.*\)`, 'the type of a column, as a declaration of ours writes it'],
]);

interface Pattern {
  readonly source: string;
  readonly flags: string;
  readonly place: string;
}

const CACHE = 'node_modules/.cache/storesight/patterns.json';

const files = globSync('src/**/*.ts', {
  exclude: ['src/domains/*/tests/**', 'src/charts/view-script.ts'],
}).sort();
const patterns = [...files.flatMap(literalsOf), ...(await constructed())];
const remembered = readCache();
const told: Record<string, string> = {};
const problems = new Set<string>();
const needed = new Set<string>();
for (const { source, flags, place } of patterns) {
  if (EXCEPTIONS.has(source)) {
    needed.add(source);
    continue;
  }
  const key = createHash('sha256').update(`${source}/${flags}`).digest('hex');
  told[key] ??= remembered[key] ?? complexityOf(source, flags);
  if (told[key] !== 'safe')
    problems.add(
      `${place}: /${source}/${flags} may take ${told[key]} time on a hostile text. Anchor it, look from the end ` +
        '(src/text/without-end.ts), limit its repetitions, or name it with a reason in scripts/check-patterns.ts',
    );
}
for (const source of EXCEPTIONS.keys())
  if (!needed.has(source)) problems.add(`scripts/check-patterns.ts: no pattern is ${source} any more`);
mkdirSync(dirname(CACHE), { recursive: true });
writeFileSync(
  CACHE,
  JSON.stringify(Object.fromEntries(Object.entries(told).filter(([, is]) => is === 'safe'))),
);
for (const problem of problems) console.error(problem);
process.exitCode = problems.size === 0 ? 0 : 1;

/** What is not decided in time is told as such, and must be made simpler or named. */
function complexityOf(source: string, flags: string): string {
  const told = checkSync(source, flags, { timeout: 60_000, randomSeed: 1 });
  return told.status === 'vulnerable' ? told.complexity.summary : told.status;
}

function readCache(): Readonly<Record<string, string>> {
  try {
    return JSON.parse(readFileSync(CACHE, 'utf8'));
  } catch {
    return {};
  }
}

function literalsOf(file: string): Pattern[] {
  const text = readFileSync(file, 'utf8');
  const found: Pattern[] = [];
  walk(parseAst(text, { lang: 'ts' }, file));
  return found;

  function walk(node: unknown): void {
    if (typeof node !== 'object' || node === null) return;
    const { regex, start } = node as { regex?: { pattern: string; flags: string }; start?: number };
    if (regex !== undefined) {
      const line = text.slice(0, start).split('\n').length;
      found.push({ source: regex.pattern, flags: regex.flags, place: `${file}:${line}` });
    }
    for (const child of Object.values(node)) walk(child);
  }
}

/** The patterns that our modules build from texts when they are loaded. */
async function constructed(): Promise<Pattern[]> {
  const found: Pattern[] = [];
  const Original = RegExp;
  globalThis.RegExp = new Proxy(Original, {
    construct(target, [source, flags = '']: [string, string?]) {
      const [, , caller = ''] = new Error().stack?.split('\n') ?? [];
      const [, place] = /\/(src\/[^:]+:\d+)/.exec(caller) ?? [];
      if (place !== undefined && !caller.includes('/node_modules/'))
        found.push({ source: String(source), flags, place });
      return new target(source, flags);
    },
  });
  try {
    for (const file of files)
      if (readFileSync(file, 'utf8').includes('new RegExp(')) await import(resolve(file));
  } finally {
    globalThis.RegExp = Original;
  }
  return found;
}
