import { type ClientPackage, calledAsIs } from '../client-package.ts';

export const MCPORTER: ClientPackage = {
  name: 'mcporter',
  version: '0.12.3',
  cannotRefresh: 'its sign-in needs a browser',
  connect: async ({ url, token, load }) => {
    const { createRuntime } = await load('mcporter');
    const runtime = await createRuntime({
      servers: [
        {
          name: 'storesight',
          command: { kind: 'http', url: new URL(url), headers: { Authorization: `Bearer ${token}` } },
        },
      ],
    });
    return {
      listTools: async () => {
        const tools = (await runtime.listTools('storesight')) as { name: string }[];
        return tools.map(({ name }) => name);
      },
      callTool: async (name, args) => calledAsIs(await runtime.callTool('storesight', name, { args })),
      close: () => runtime.close(),
    };
  },
};
