import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { defineConfig } from 'vitepress';

const SITE = resolve(import.meta.dirname, '..');
const ROOT = resolve(SITE, '..');
/**
 * Pages lie as in the repository, so that a link between two documents is the same here and there.
 * scripts/docs-site.ts copies them.
 */
const PAGES = join(SITE, 'pages');

const { repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const REPOSITORY = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');

const isPage = (path: string) => path.endsWith('.md') && existsSync(join(PAGES, path));

/**
 * Where a relative link of a document leads on the site: to a page, or to the file in the repository. Null:
 * it stays.
 */
function linkOf(document: string, link: string): string | null {
  if (/^(\w+:|#|\/)/.test(link)) return null;
  const [path = '', anchor] = link.split('#');
  let target = relative(ROOT, resolve(ROOT, dirname(document), decodeURI(path)));
  if (isPage(join(target, 'README.md'))) target = join(target, 'README.md');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (isPage(target)) return `/${target === 'README.md' ? '' : target}${hash}`;
  const isFolder = statSync(join(ROOT, target)).isDirectory();
  return `${REPOSITORY}/${isFolder ? 'tree' : 'blob'}/main/${target}${hash}`;
}

const titleOf = (path: string) =>
  /^# (.+)$/m.exec(readFileSync(join(PAGES, path), 'utf8'))?.[1]?.replaceAll('`', '') ?? path;

/** The pages that the list of documents names, in its order, each once. */
const listed = () => {
  const links = readFileSync(join(PAGES, 'docs/README.md'), 'utf8').matchAll(/\]\(([\w./-]+\.md)\)/g);
  const paths = [...links].map(([, link = '']) => relative(ROOT, resolve(ROOT, 'docs', link)));
  return [...new Set(paths)].filter(isPage);
};

export default defineConfig({
  title: 'Storesight',
  description: 'Ask your own store anything, from any AI client',
  srcDir: 'pages',
  outDir: 'dist',
  cacheDir: 'node_modules/.cache/vitepress',
  rewrites: { 'README.md': 'index.md' },
  appearance: true,
  ignoreDeadLinks: false,
  markdown: {
    // Documents are Markdown as GitHub reads it: `<business_id>` is a text.
    html: false,
    // Headings have the names that links to them have on GitHub.
    anchor: {
      slugify: (heading) =>
        heading
          .toLowerCase()
          .replace(/[^\p{L}\p{N}_ -]/gu, '')
          .replaceAll(' ', '-'),
    },
    config: (md) => {
      md.core.ruler.push('links of the repository', (state) => {
        const document = state.env.relativePath === 'index.md' ? 'README.md' : state.env.relativePath;
        for (const token of state.tokens.flatMap(({ children }) => children ?? [])) {
          if (token.type !== 'link_open') continue;
          const link = linkOf(document, token.attrGet('href') ?? '');
          if (link !== null) token.attrSet('href', link);
        }
      });
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/' },
      { text: 'Which question, which tool', link: '/docs/which-tool' },
      { text: 'All documents', link: '/docs/README' },
      { text: 'Repository', link: REPOSITORY },
    ],
    sidebar: [
      {
        text: 'Documents',
        items: listed().map((path) => ({ text: titleOf(path), link: `/${path.replace(/\.md$/, '')}` })),
      },
    ],
    outline: [2, 3],
  },
  /** For agents: llms.txt, and each page as it was written. */
  buildEnd: ({ outDir, pages }) => {
    const sources = pages.map((page) => (page === 'index.md' ? 'README.md' : page));
    for (const path of sources) {
      mkdirSync(dirname(join(outDir, path)), { recursive: true });
      copyFileSync(join(PAGES, path), join(outDir, path));
    }
    const list = (paths: readonly string[]) =>
      paths.map((path) => `- [${titleOf(path)}](/${path})`).join('\n');
    const first = ['README.md', ...listed()];
    const others = sources.filter((path) => !first.includes(path)).toSorted();
    writeFileSync(
      join(outDir, 'llms.txt'),
      `# Storesight

> Ask your own store anything, from any AI client: a read-only analytics server over MCP for online stores.

## Documents

${list(first)}

## Optional

${list(others)}
`,
    );
  },
});
