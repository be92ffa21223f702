import { CATALOGUE } from '../../src/catalogue.ts';
import { DATA_FOLDER, type Manifest, repositoryPage } from './manifest.ts';

/** A kind of machine that a bundle is for: DuckDB's native part differs. */
export interface Platform {
  readonly os: 'darwin' | 'linux' | 'win32';
  readonly cpu: 'arm64' | 'x64';
}

/** The manifest of the desktop bundle, in version 0.3 of the format. */
export function bundleManifest(manifest: Manifest, { os }: Pick<Platform, 'os'>): object {
  const page = repositoryPage(manifest);
  return {
    manifest_version: '0.3',
    name: manifest.name,
    display_name: 'Storesight',
    version: manifest.version,
    description: manifest.description,
    long_description:
      'Answers questions about the orders, products, customers, traffic, e-mail, SMS and campaigns of your stores, from files on this computer. ' +
      'It changes nothing and sends nothing anywhere but to this app. Stores come into the folder by the command `npx storesight`.',
    author: { name: manifest.author, url: page },
    repository: { type: 'git', url: `${page}.git` },
    homepage: manifest.homepage,
    support: manifest.bugs,
    license: manifest.license,
    keywords: manifest.keywords,
    server: {
      type: 'node',
      entry_point: 'bin/storesight.js',
      mcp_config: {
        command: 'node',
        // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the app puts the values in.
        args: ['${__dirname}/bin/storesight.js', 'stdio'],
        env: { STORESIGHT_DATA: '${user_config.data_folder}' },
        // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the app puts the values in.
      },
    },
    tools: CATALOGUE.map(({ name, title }) => ({ name, description: title })),
    prompts_generated: true,
    // The app brings this Node itself; engines in package.json is what the package can be started by.
    compatibility: { platforms: [os], runtimes: { node: '>=24' } },
    user_config: {
      data_folder: {
        type: 'directory',
        title: 'Data folder',
        description: DATA_FOLDER,
        required: true,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the app puts the value in.
        default: '${HOME}/storesight-data',
      },
    },
  };
}
