import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * A host that allows what the specification's default allows, and no more: its page and the sandbox are two
 * origins, the view is in a frame without an origin of its own, under the policy of a resource that names no
 * exception.
 */

const DEFAULT_POLICY = [
  "default-src 'none'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "media-src 'self' data:",
  "connect-src 'none'",
  "frame-src 'none'",
  "object-src 'none'",
  "base-uri 'self'",
];

/** What the host of a test does; `window.scenario` of its page. */
export interface Scenario {
  readonly context: object;
  readonly args: object;
  readonly result: object;
  /** Whether calls of tools are passed on, to `callTool` of the page. */
  readonly canCall: boolean;
  /** The official bridge is the host, and not the page's own script. */
  readonly isOfficial?: boolean;
}

export interface StrictHost {
  readonly url: string;
  close(): Promise<void>;
}

/** @param scripts which ones it allows */
export async function startStrictHost(view: string, scripts = "'self' 'unsafe-inline'"): Promise<StrictHost> {
  const sandbox = await serve({
    '/sandbox': { type: 'text/html', text: SANDBOX },
    '/view': {
      type: 'text/html',
      text: view,
      policy: [...DEFAULT_POLICY, `script-src ${scripts}`].join('; '),
    },
  });
  const bridge = await officialBridge();
  const host = await serve({
    '/': { type: 'text/html', text: hostPage(`${sandbox.url}/sandbox`) },
    '/bridge.js': { type: 'text/javascript', text: bridge },
  });
  return {
    url: host.url,
    close: async () => {
      for (const { server } of [host, sandbox]) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

interface Served {
  readonly type: string;
  readonly text: string;
  readonly policy?: string;
}

async function serve(files: Readonly<Record<string, Served>>): Promise<{ server: Server; url: string }> {
  const server = createServer(({ url = '' }, response) => {
    const file = files[url];
    response.writeHead(file === undefined ? 404 : 200, {
      'Content-Type': `${file?.type ?? 'text/plain'}; charset=utf-8`,
      ...(file?.policy !== undefined && { 'Content-Security-Policy': file.policy }),
    });
    response.end(file?.text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Passes messages on, as a host in a browser must: the view's parent is not the host. */
const SANDBOX = `<!doctype html><html lang="en"><title>Sandbox</title>
<style>html,body,iframe{margin:0;border:0;width:100%;height:100%}</style>
<iframe id="view" title="View" sandbox="allow-scripts" src="/view"></iframe>
<script>
const view = document.getElementById('view');
addEventListener('message', ({ source, data }) => {
  if (source === parent) view.contentWindow.postMessage(data, '*');
  else if (source === view.contentWindow) parent.postMessage(data, '*');
});
</script></html>`;

function hostPage(sandbox: string): string {
  return `<!doctype html><html lang="en"><title>Host</title>
<style>body{margin:0}iframe{display:block;border:0;width:100%;height:400px}</style>
<main><iframe id="app" title="Chart" sandbox="allow-scripts allow-same-origin"></iframe></main>
<script>
const app = document.getElementById('app');
window.messages = [];
window.open = async (scenario) => {
  window.drop?.();
  await new Promise((resolve) => { app.onload = resolve; app.src = 'about:blank'; });
  app.onload = null;
  window.messages.length = 0;
  const grow = (size) => { if (size.height) app.style.height = size.height + 'px'; };
  const passOn = ({ name, arguments: args }) => window.callTool(name, args);
  const capabilities = scenario.canCall ? { serverTools: {} } : {};
  if (scenario.isOfficial) {
    const { AppBridge, PostMessageTransport } = await import('/bridge.js');
    const bridge = new AppBridge(null, { name: 'official', version: '1' }, capabilities, { hostContext: scenario.context });
    bridge.onsizechange = grow;
    bridge.onerror = (error) => window.messages.push('error: ' + error);
    if (scenario.canCall) bridge.oncalltool = passOn;
    const ready = new Promise((resolve) => { bridge.oninitialized = resolve; });
    await bridge.connect(new PostMessageTransport(app.contentWindow, app.contentWindow));
    window.drop = () => bridge.close();
    app.src = '${sandbox}';
    await ready;
    window.messages.push('initialized');
    await bridge.sendToolInput({ arguments: scenario.args });
    await bridge.sendToolResult(scenario.result);
    window.tell = (context) => bridge.sendHostContextChange(context);
    return;
  }
  const send = (message) => app.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const listen = async ({ source, data: { id, method, params } }) => {
    if (source !== app.contentWindow) return;
    window.messages.push(method);
    if (method === 'ui/initialize') {
      send({ id, result: { protocolVersion: '2026-01-26', hostInfo: { name: 'strict', version: '1' }, hostCapabilities: capabilities, hostContext: scenario.context } });
    } else if (method === 'ui/notifications/initialized') {
      send({ method: 'ui/notifications/tool-input', params: { arguments: scenario.args } });
      send({ method: 'ui/notifications/tool-result', params: scenario.result });
    } else if (method === 'ui/notifications/size-changed') grow(params);
    else if (method === 'tools/call') send({ id, result: await passOn(params) });
  };
  addEventListener('message', listen);
  window.drop = () => removeEventListener('message', listen);
  window.tell = (context) => send({ method: 'ui/notifications/host-context-changed', params: context });
  window.send = send;
  app.src = '${sandbox}';
};
</script></html>`;
}

/** The host side of the official package, as its users bundle it. */
async function officialBridge(): Promise<string> {
  await using bundle = await rolldown({
    input: fileURLToPath(import.meta.resolve('@modelcontextprotocol/ext-apps/app-bridge')),
    platform: 'browser',
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false } as never);
  return output[0].code;
}
